import { useI18n } from 'vue-i18n';

import { useFormats } from '#components/formats';
import type { Tone } from '#components/ui/tone';
import { fillOf } from '#components/verifier/result/message-values';
import { toneOfHeadline } from '#components/verifier/result/tones';
import type { InspectionHeadline } from '#core/license/inspect/inspection';
import { useClock } from '#stores/clock';

export interface HeadlineMessages {
  readonly tone: Tone;
  readonly title: string;
  /** As of when, and that a revocation since then cannot be seen. */
  readonly asOf: string;
}

/** The one sentence of a document, in words. `undefined`: the verifier was lost over it. */
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
      const said = t(key, fillOf(data, at, formats));
      const because = `verifier.check.shared.${String(data['reason'])}.say`;
      return id.endsWith('-unreadable') && i18n.te(because) ? `${said} ${t(because)}` : said;
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
