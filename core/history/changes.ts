import type { AnswerSummary, PurchaseSummary } from '#core/history/answer-summary';

/** Names a difference between two answers about one code. */
export type Change =
  /** Its support ended in the meantime, as it was due to. */
  | 'support-lapsed'
  /** Its support ends later than it did, or it has support now. */
  | 'support-extended'
  | 'support-shortened'
  | 'support-removed'
  /** Not found then, a purchase now. */
  | 'appeared'
  /** A purchase then, not found now: most likely refunded or cancelled. */
  | 'vanished'
  | 'license-changed'
  | 'item-changed'
  | 'downloaded';

/** Holds an answer and its time, epoch milliseconds. */
export interface DatedAnswer {
  readonly checkedAt: number;
  readonly answer: AnswerSummary;
}

/**
 * Lists what changed between two answers about one code, the most important change first.
 * @param sameSpelling whether both answers are about the identical spelling; without it nothing appeared or vanished, since a
 * server may know only one spelling
 */
export function changesBetween(
  before: DatedAnswer,
  after: DatedAnswer,
  sameSpelling: boolean,
): Change[] {
  const [then, now] = [before.answer, after.answer];
  if (then.kind === 'not-found') return now.kind === 'purchase' && sameSpelling ? ['appeared'] : [];
  if (now.kind === 'not-found') return sameSpelling ? ['vanished'] : [];
  const [was, is] = [then.purchase, now.purchase];
  return [
    ...(was.item.id === is.item.id ? [] : (['item-changed'] as const)),
    ...supportChanges(was, is, before.checkedAt, after.checkedAt),
    ...(was.licenseType === is.licenseType ? [] : (['license-changed'] as const)),
    ...(was.downloaded === false && is.downloaded === true ? (['downloaded'] as const) : []),
  ];
}

function supportChanges(
  was: PurchaseSummary,
  is: PurchaseSummary,
  then: number,
  now: number,
): Change[] {
  const [before, after] = [was.supportedUntil, is.supportedUntil];
  if (after === undefined) return before === undefined ? [] : ['support-removed'];
  if (before === undefined || after > before) return ['support-extended'];
  if (after < before) return ['support-shortened'];
  return then < before && now >= before ? ['support-lapsed'] : [];
}
