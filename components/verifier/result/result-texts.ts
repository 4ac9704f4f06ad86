import { useI18n } from '#components/i18n';
import { useFormats } from '#components/formats';
import { useCheckMessages, useHeadlineMessages } from '#components/verifier/result/messages';
import { inlineMarkdown, visibleText, withoutIsolates } from '#core/text/index';
import type { Inspection } from '#core/license/index';
import { readMoment } from '#core/time/index';
import type { JsonObject, JsonValue } from '#core/encoding/index';

export interface CopiedText {
  readonly inspection: Inspection;
  readonly name: string;
  /** The moment that the document is judged at, epoch milliseconds. */
  readonly at: number;
}

export interface ResultTexts {
  /** Writes a report for a ticket or a colleague. */
  markdown(result: CopiedText): string;
  /** Writes everything except the signed texts and the claims of an unverified document. */
  json(result: CopiedText): string;
}

export function useResultTexts(): ResultTexts {
  const { t } = useI18n();
  const formats = useFormats();
  const headline = useHeadlineMessages();
  const checkMessages = useCheckMessages();

  function markdown({ inspection, name, at }: CopiedText): string {
    const { title, reason, rest, asOf, test } = headline(inspection.headline, at);
    const checks = inspection.checks.map((check) => {
      const { title: check_, sentence, detail } = checkMessages(check, at);
      const outcome = t(`verifier.check.outcome.${check.outcome}`);
      return `| ${[outcome, check_, detail === undefined ? sentence : `${sentence} ${detail}`].map(words).join(' | ')} |`;
    });
    const claims = (['license', 'certificate'] as const).flatMap((kind) => {
      const view = inspection[kind];
      // Only a verified document has findings.
      if (view?.genuine !== true || view.says?.claims === undefined) return [];
      const rows = claimRows(view.says.claims).map(
        ({ name: claim, value, moment }) =>
          `| ${text(claim)} | ${text(moment === undefined ? value : formats.utc(moment))} |`,
      );
      return ['', `## ${t(`verifier.claims.${kind}`)}`, '', '| | |', '|---|---|', ...rows];
    });
    const repairs = inspection.repairs.map(
      ({ id, count }) => `- ${t(`verifier.repair.${id}`, { count }, count)}`,
    );
    return [
      `# ${words(title)}`,
      '',
      ...[reason, ...rest, asOf]
        .filter((sentence) => sentence !== '')
        .flatMap((sentence) => [words(sentence), '']),
      ...(test === '' ? [] : [`**${test}**`, '']),
      `${t('verifier.markdown.file')}: ${text(name)}  `,
      `${t('verifier.markdown.at')}: ${formats.utc(at)}`,
      '',
      `| ${t('verifier.markdown.outcome')} | ${t('verifier.markdown.check')} | ${t('verifier.markdown.finding')} |`,
      '|---|---|---|',
      ...checks,
      ...claims,
      ...(repairs.length > 0 ? ['', `## ${t('verifier.repair.title')}`, '', ...repairs] : []),
      '',
    ].join('\n');
  }

  function json({ inspection, name, at }: CopiedText): string {
    const { whole } = headline(inspection.headline, at);
    const report = {
      format: 'counterfoil-report',
      version: 1,
      file: name,
      judgedAt: new Date(at).toISOString(),
      sentence: withoutIsolates(whole),
      inspection,
    };
    return JSON.stringify(report, reported, 2);
  }

  return { markdown, json };
}

/** Leaves out the signed texts, which anyone who has them could use, and the claims of an unverified document. */
function reported(key: string, value: unknown): unknown {
  if (key === 'raw') return undefined;
  const isUnproven =
    typeof value === 'object' && value !== null && 'genuine' in value && value.genuine !== true;
  return isUnproven ? { ...value, says: undefined } : value;
}

/** Writes one of our sentences as a line of Markdown; text from a file inside it is already made visible. */
function words(sentence: string): string {
  return text(withoutIsolates(sentence));
}

/** Writes text from a file as one line without markup, link or mention. */
function text(value: string): string {
  return inlineMarkdown(visibleText(value));
}

export interface ClaimRow {
  readonly name: string;
  readonly value: string;
  /** Epoch milliseconds, if the claim's name says that it is a date and it can be read. */
  readonly moment?: number;
}

/** Names of claims that hold a moment: `issued_at`, `grace_until`, `exp` and the like. */
const momentName = /(?:_at|_until|_on|_date)$|^(?:iat|exp|nbf)$/u;

/** Returns a payload's members as rows, in their order. */
export function claimRows(claims: JsonObject): ClaimRow[] {
  return Object.entries(claims).map(([name, value]) => {
    const read = momentName.test(name) ? readMoment(value) : undefined;
    return {
      name,
      value: textOf(value),
      ...(read?.ok === true && { moment: read.value }),
    };
  });
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
