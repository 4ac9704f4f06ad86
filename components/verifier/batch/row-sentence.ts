import { useI18n } from '#components/i18n';

import { useFormats } from '#components/formats';
import {
  type HeadlineMessages,
  useHeadlineMessages,
} from '#components/verifier/result/headline-messages';
import { type BatchRow, useBatch } from '#stores/verifier/batch';

/**
 * Returns a function that writes the sentence of a row of the table. The row's standing and its sentence describe one license
 * of the file; the sentence also says how many more licenses and installations the file holds.
 * @param part the headline's text to begin with
 */
export function useRowSentence(): (
  row: BatchRow,
  part: (headline: HeadlineMessages) => string,
) => string {
  const { t } = useI18n();
  const formats = useFormats();
  const batch = useBatch();
  const headlineOf = useHeadlineMessages();
  return ({ headline, others }, part) => {
    const sentence = part(headlineOf(headline, batch.judgedAt)).trim();
    return others === undefined
      ? sentence
      : `${sentence} (${t('verifier.batch.others', { count: formats.number(others) })})`;
  };
}
