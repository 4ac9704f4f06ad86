import type { Catalogue } from '#components/i18n';
import { isExact, type VerdictWord } from '#core/verdict/index';

/** Names a group of a job's rows, or a verdict: Supported, Other item, Refunded */
export function groupName(t: Catalogue['t'], word: VerdictWord): string {
  if (word === 'other-item') return t('desk.otherItem');
  if (word === 'fault') return t('answer.noAnswer');
  return t(isExact(word) ? `answer.exact.${word}` : `desk.verdict.${word}`);
}

/** Counts what is of a group: Supported 31. The figure is last, since a name such as “No answer” cannot follow one. */
export function countedGroup(t: Catalogue['t'], count: string, word: VerdictWord): string {
  return t('desk.counted', { count, what: groupName(t, word) });
}
