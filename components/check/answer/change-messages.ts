import { useI18n } from '#components/i18n';

import { useFormats } from '#components/formats';
import type { Change } from '#core/history/entry';

/**
 * Words a change since the code was last checked as one sentence.
 *
 * @param since epoch milliseconds
 */
export function useChangeMessages(): (change: Change, since: number) => string {
  const { t } = useI18n();
  const formats = useFormats();
  return (change, since) => t(`change.${change}`, { date: formats.date(since) });
}
