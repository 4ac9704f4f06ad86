import type { ComputedRef, InjectionKey } from 'vue';

import { useI18n } from '#components/i18n';

import { useFactWords } from '#components/check/answer/fact-words';
import {
  useVerdictMessages,
  type VerdictSubject,
} from '#components/check/verdict/verdict-messages';
import { useFormats } from '#components/formats';
import type { StoredReport } from '#core/check/index';
import { maskCode } from '#core/codes/index';
import { factsOf } from '#core/verdict/index';
import { inlineText } from '#core/text/index';

/** True if one reply to all codes is offered below the answers. */
export const togetherKey: InjectionKey<ComputedRef<boolean>> = Symbol('together');

/**
 * Puts a report into plain lines to paste into a ticket: the sentence, then the facts with exact UTC times. A seller's
 * text is kept on one line and cannot become a link or a mention there.
 */
export function useSummary(): (
  report: StoredReport,
  code: 'masked' | 'whole',
  subject?: VerdictSubject,
) => string {
  const { t } = useI18n();
  const formats = useFormats();
  const { headline, nameOf } = useVerdictMessages();
  const wordsOf = useFactWords();

  return (report, code, subject = {}) => {
    const { title, why } = headline(report, subject);
    const spelling = report.foundSpelling ?? report.code;
    const lines = [
      inlineText(why === '' ? title : `${title} (${why})`),
      t('summary.code', { code: inlineText(code === 'whole' ? spelling : maskCode(spelling)) }),
    ];
    if (report.outcome.ok) {
      const answer = report.outcome.value;
      if (answer.kind === 'not-found') {
        lines.push(t('summary.serverMessage', { msg: inlineText(answer.msg) }));
      } else {
        const { purchase } = answer;
        const { item } = purchase;
        lines.push(
          t('summary.item', {
            name: inlineText(item.name),
            version: inlineText(item.version),
            id: String(item.id),
          }),
          ...factsOf(purchase, 'copy').map(({ name, value }) =>
            t('summary.fact', {
              label: t(`answer.fact.${name}`),
              value: inlineText(wordsOf(value)),
            }),
          ),
          ...(purchase.supportedUntil === undefined && purchase.supportUnknown !== true
            ? [t('summary.noSupport')]
            : []),
        );
      }
    }
    const asked = subject.asked ?? [nameOf(report.connectionId)];
    const name = formats.all(asked.map(inlineText));
    lines.push(t('summary.asked', { name, utc: formats.utc(report.checkedAt) }));
    return lines.join('\n');
  };
}
