import { useI18n } from 'vue-i18n';

import { useFormats } from '#components/formats';
import type { Tone } from '#components/ui/tone';
import { fillOf } from '#components/verifier/result/message-values';
import { toneOfHeadline } from '#components/verifier/result/tones';
import type { InspectionHeadline } from '#core/license/inspect/inspection';
import { useClock } from '#stores/clock';

/** Sentences whose reason follows them. */
const explained = /^(?:license|certificate)-(?:unreadable|not-genuine)$|^key-not-trusted$/u;

export interface HeadlineMessages {
  readonly tone: Tone;
  readonly title: string;
  /** As of when, and that a revocation since then cannot be seen. */
  readonly asOf: string;
}

/** Gives the sentences of a document's headline as text. A headline that is `undefined` was lost with its verifier. */
export function useHeadlineMessages(): (
  headline: InspectionHeadline | undefined,
  at?: number,
) => HeadlineMessages {
  const i18n = useI18n();
  const { t } = i18n;
  const formats = useFormats();
  const present = useClock();

  return (headline, at = present.present) => {
    if (headline === undefined) return { tone: 'plain', title: t('verifier.lost'), asOf: '' };
    const sentences = headline.sentences.map(({ id, data }) => {
      const alone = `verifier.headline.${id}-alone`;
      const key = 'expected' in data || !i18n.te(alone) ? `verifier.headline.${id}` : alone;
      const fill = fillOf(data, at, formats);
      const because = `verifier.check.shared.${String(data['reason'])}.say`;
      const isExplained = explained.test(id) && i18n.te(because);
      return isExplained ? `${t(key, fill)} ${t(because, fill)}` : t(key, fill);
    });
    const title = [...(headline.test ? [t('verifier.testLicense')] : []), ...sentences].join(' ');
    return {
      tone: toneOfHeadline[headline.tone],
      title,
      asOf:
        headline.asOf === undefined
          ? t('verifier.asOf.never')
          : t('verifier.asOf.issued', { date: formats.date(headline.asOf) }),
    };
  };
}
