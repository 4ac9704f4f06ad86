import type { AnswerSummary, PurchaseSummary } from '#core/history/answer-summary';

/** How one code's answer differs from an earlier one. */
export type Change =
  /** Its support has ended since, by time alone. */
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

/** An answer and its time, epoch milliseconds. */
export interface DatedAnswer {
  readonly checkedAt: number;
  readonly answer: AnswerSummary;
}

/**
 * Lists what changed between two answers about one code, the most important change first.
 * @param sameSpelling whether both answers are about the identical spelling: a server may know one spelling of a code and not
 * another, so only then has a purchase appeared or vanished
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
