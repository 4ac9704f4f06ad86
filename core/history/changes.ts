import type { AnswerSummary, PurchaseSummary } from '#core/history/brief';

/** What one code's answer has become since it was asked before. */
export type Change =
  /** It was supported then, and is not now: time alone did it. */
  | 'support-lapsed'
  /** Support lasts longer than it did, was bought, or was taken up again. */
  | 'support-extended'
  | 'support-shortened'
  | 'support-removed'
  /** Not found then, a purchase now. */
  | 'appeared'
  /** A purchase then, not found now: refunded or cancelled, most likely. */
  | 'vanished'
  | 'license-changed'
  | 'item-changed'
  | 'downloaded';

/** An answer and when it came, epoch milliseconds. */
export interface DatedAnswer {
  readonly checkedAt: number;
  readonly answer: AnswerSummary;
}

/** The most telling change first; empty when nothing an agent would ask about has changed. */
export function changesBetween(before: DatedAnswer, after: DatedAnswer): Change[] {
  const [then, now] = [before.answer, after.answer];
  if (then.kind === 'not-found') return now.kind === 'purchase' ? ['appeared'] : [];
  if (now.kind === 'not-found') return ['vanished'];
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
