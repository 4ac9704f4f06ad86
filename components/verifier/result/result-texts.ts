import { useI18n } from 'vue-i18n';

import { useFormats } from '#components/formats';
import { useCheckMessages } from '#components/verifier/result/check-messages';
import { claimRows } from '#components/verifier/result/claim-rows';
import { fillOf } from '#components/verifier/result/message-values';
import { useHeadlineMessages } from '#components/verifier/result/headline-messages';
import { visibleText } from '#core/text/visible-text';
import type { Inspection } from '#core/license/inspect/inspection';
import { inlineMarkdown } from '#core/text/inline-text';

/** A result to be copied or saved. */
export interface CopiedText {
  readonly inspection: Inspection;
  readonly name: string;
  /** The moment judged at, epoch milliseconds. */
  readonly at: number;
}

export interface ResultTexts {
  /** Writes plain words for the customer, in the language of the page. */
  reply(result: CopiedText): string;
  /** Writes a report for a ticket or a colleague. */
  markdown(result: CopiedText): string;
  /** Writes everything but the signed texts themselves, and nothing of what a document says that is not verified. */
  json(result: CopiedText): string;
}

export function useResultTexts(): ResultTexts {
  const i18n = useI18n();
  const { t } = i18n;
  const formats = useFormats();
  const headline = useHeadlineMessages();
  const words = useCheckMessages();

  function reply({ inspection, at }: CopiedText): string {
    const said = inspection.headline.sentences.flatMap(({ id, data }) =>
      i18n.te(`verifier.reply.${id}`) ? [t(`verifier.reply.${id}`, fillOf(data, at, formats))] : [],
    );
    const advice = inspection.checks
      .filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')
      .flatMap((check) => words(check, at).tell ?? []);
    const damaged = inspection.repairs.some(({ id }) => damages.has(id));
    return [
      said.join(' '),
      ...new Set(advice),
      ...(damaged ? [t('verifier.reply.damaged')] : []),
      ...(inspection.headline.asOf === undefined
        ? []
        : [t('verifier.reply.asOf', { date: formats.date(inspection.headline.asOf) })]),
    ]
      .filter((paragraph) => paragraph !== '')
      .join('\n\n');
  }

  function markdown({ inspection, name, at }: CopiedText): string {
    const { title, asOf } = headline(inspection.headline, at);
    const checks = inspection.checks.map((check) => {
      const { title: check_, sentence, detail } = words(check, at);
      const outcome = t(`verifier.check.outcome.${check.outcome}`);
      return `| ${[outcome, check_, detail === undefined ? sentence : `${sentence} ${detail}`].map(text).join(' | ')} |`;
    });
    const claims = (['license', 'certificate'] as const).flatMap((kind) => {
      const view = inspection[kind];
      // What nobody vouches for is no finding.
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
      `# ${text(title)}`,
      '',
      asOf,
      '',
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
    const { title } = headline(inspection.headline, at);
    const report = {
      format: 'counterfoil-report',
      version: 1,
      file: name,
      judgedAt: new Date(at).toISOString(),
      sentence: title,
      inspection,
    };
    return JSON.stringify(report, reported, 2);
  }

  return { reply, markdown, json };
}

/** Leaves out the signed texts, which let their holder in, and what a document says that is not verified. */
function reported(key: string, value: unknown): unknown {
  if (key === 'raw') return undefined;
  const isUnproven =
    typeof value === 'object' && value !== null && 'genuine' in value && value.genuine !== true;
  return isUnproven ? { ...value, says: undefined } : value;
}

/** Repairs that tell of a file that came to harm on its way; the others are habits of mail and forms. */
const damages = new Set<string>([
  'line-breaks',
  'spaces',
  'invisible-characters',
  'mail-quotes',
  'quoted-printable',
  'dashes',
]);

/** Text from a file as one line that holds no markup, link or mention. */
function text(value: string): string {
  return inlineMarkdown(visibleText(value));
}
