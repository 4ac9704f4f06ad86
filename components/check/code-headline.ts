import { useI18n } from 'petite-vue-i18n';

import { useVerdictMessages, type VerdictHeadline } from '#components/check/verdict-messages';
import { useFormats } from '#components/formats';
import type { ExpectedItem } from '#core/check/check-report';
import type { CodeVerdict } from '#stores/check/code-verdict';

/** Words the verdict on one code as one sentence, whichever connections were asked. */
export function useCodeHeadline(): {
  /** Undefined while nothing is known. */
  headlineOf: (verdict: CodeVerdict, expected?: ExpectedItem) => VerdictHeadline | undefined;
  /** Names the connections that the sentence is about. */
  namesOf: (verdict: CodeVerdict) => string;
} {
  const { t } = useI18n();
  const formats = useFormats();
  const { headline, nameOf } = useVerdictMessages();

  return {
    headlineOf: ({ lead, others, isMissing }, expected) => {
      if (lead.report === undefined) return undefined;
      const leadHeadline = headline(lead.report, expected);
      return isMissing && others.length > 0
        ? { ...leadHeadline, title: t('answer.notFoundAny') }
        : leadHeadline;
    },
    namesOf: ({ lead, others, isMissing }) =>
      formats.all(
        (isMissing ? [lead, ...others] : [lead]).map(({ connectionId }) => nameOf(connectionId)),
      ),
  };
}
