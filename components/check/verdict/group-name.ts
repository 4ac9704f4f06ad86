import type { Catalogue } from '#components/i18n';
import { isExact, type VerdictWord } from '#core/verdict/index';

/** Returns the name of a verdict or of a group of a job's rows: Supported, Other item, Refunded */
export function groupName(t: Catalogue['t'], word: VerdictWord): string {
  if (word === 'other-item') return t('desk.reply.situation.other-item');
  if (word === 'fault') return t('answer.noAnswer');
  return t(isExact(word) ? `answer.exact.${word}` : `desk.verdict.${word}`);
}

/** Names a group with its size: Supported 31. The number comes last, since it cannot precede “No answer”. */
export function countedGroup(t: Catalogue['t'], count: string, word: VerdictWord): string {
  return t('desk.counted', { count, what: groupName(t, word) });
}
