import type { Catalogue } from '#components/i18n';
import { isRowVerdict, type RowGroup } from '#core/row-group';

/** Names a group of a job's rows, or a verdict: Supported, Other item, Refunded */
export function groupName(t: Catalogue['t'], word: RowGroup): string {
  if (word === 'other-item') return t('desk.otherItem');
  return t(isRowVerdict(word) ? `desk.verdict.${word}` : `answer.exact.${word}`);
}

/** Counts what is of a group: 31 Supported; in Japanese the count comes last. */
export function countedGroup(t: Catalogue['t'], count: string, word: RowGroup): string {
  return t('desk.counted', { count, what: groupName(t, word) });
}
