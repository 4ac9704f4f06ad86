import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { composeReply, sampleFacts } from '#core/replies/index';
import type { ReplySituation } from '#core/reply-templates/index';
import { directionOf } from '#core/text/index';
import { dayMs } from '#core/time/index';
import { refuseArguments, runCommand } from '#scripts/command-line/refusal';
import { root } from '#scripts/machine/processes';
import { readReplies, replyLanguages } from '#scripts/translations/texts';

/**
 * Writes every built-in reply in every language as a customer gets it, about samples, a page a language:
 * `reports/replies/fr.html`.
 */
await runCommand(() => {
  refuseArguments('npm run replies');
  const now = Date.now();
  const folder = join(root, 'reports/replies');
  mkdirSync(folder, { recursive: true });
  for (const language of replyLanguages()) {
    const catalogue = readReplies(language);
    const months = new Intl.RelativeTimeFormat(language);
    // Only the sample whose support ended two months ago says how long ago that is.
    const relative = (at: number, from: number): string =>
      months.format(Math.round((at - from) / (30 * dayMs)), 'month');
    const style = {
      catalogue,
      frame: catalogue,
      format: 'plain',
      locale: language,
      relative,
    } as const;
    const replies = catalogue.templates.map((template) => {
      const about = sampleFacts(template.situation, now, 'Weighbridge');
      return section(template.name, template.situation, composeReply(about, template, style));
    });
    const sentences = Object.entries(catalogue.words).map(([id, text]) => row(id, text));
    writeFileSync(join(folder, `${language}.html`), pageOf(language, replies, sentences));
  }
  console.log(`A page for each language: ${folder}`);
  return Promise.resolve(0);
});

function section(name: string, situation: ReplySituation, reply: string): string {
  return `<section><h2>${escaped(name)} <small lang="en" dir="ltr">${situation}</small></h2><p>${escaped(reply)}</p></section>`;
}

function row(id: string, text: string): string {
  return `<tr><th lang="en" dir="ltr">${id}</th><td>${escaped(text)}</td></tr>`;
}

function pageOf(
  language: string,
  replies: readonly string[],
  sentences: readonly string[],
): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(name)}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
section { break-inside: avoid; border-block-start: 1px solid; margin-block-start: 1.5rem; }
h2 { font-size: 1rem; }
small, th { font-weight: normal; font-family: ui-monospace, monospace; }
p { white-space: pre-line; }
th { text-align: start; vertical-align: top; padding-inline-end: 1rem; }
</style>
<h1>${escaped(name)}</h1>
${replies.join('\n')}
<section><table>
${sentences.join('\n')}
</table></section>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
