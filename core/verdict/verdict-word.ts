import { type OutcomeSummary, purchaseIn } from '#core/check/index';
import { type ExactVerdict, type PurchaseVerdict, verdictOf } from '#core/verdict/verdict';
import { type BoughtAt, type Expectation, isForOtherItem } from '#core/items/index';
import { purchaseProblems } from '#core/marketplaces/index';

/** The verdicts of a code, a row or a check, in sorting order. `not-checked` occurs in a cancelled bulk check. */
export const verdicts = [
  'supported',
  'lapsed',
  'no-support',
  'untold',
  ...purchaseProblems,
  'other-item',
  'not-found',
  'fault',
  'waiting',
  'not-checked',
] as const;
export type VerdictWord = (typeof verdicts)[number];

/**
 * Returns the verdict of an outcome at one moment. A problem of the purchase takes precedence over a wrong item, and a
 * wrong item over the support.
 * @param now epoch milliseconds
 */
export function wordOf(
  report: BoughtAt,
  expected: Expectation | undefined,
  now: number,
): Exclude<VerdictWord, 'not-checked'> {
  const { outcome } = report;
  if (outcome === undefined) return 'waiting';
  if (!outcome.ok) return 'fault';
  const purchase = purchaseIn(outcome);
  if (purchase === undefined) return 'not-found';
  const verdict = verdictOf(purchase, now);
  if (verdict.kind !== 'problem' && isForOtherItem(report, expected)) return 'other-item';
  return exactVerdictOf(verdict) ?? supportOfVerdict(verdict);
}

/** Tells whether a word is the exact reason why there is no support. */
export function isExact(word: VerdictWord): word is ExactVerdict {
  return word === 'untold' || purchaseProblems.some((problem) => problem === word);
}

/** Counts verdicts, including those that do not occur. */
export function countVerdicts(words: readonly VerdictWord[]): Record<VerdictWord, number> {
  const counts = Object.fromEntries(verdicts.map((name) => [name, 0])) as Record<
    VerdictWord,
    number
  >;
  for (const word of words) counts[word] += 1;
  return counts;
}

/** Returns the name of the item that was bought; empty if there is no purchase. */
export function itemNameOf(outcome: OutcomeSummary | undefined): string {
  return purchaseIn(outcome)?.item.name ?? '';
}

/** Returns the exact reason why there is no support; undefined if the verdict has none. */
export function exactVerdictOf(verdict: PurchaseVerdict): ExactVerdict | undefined {
  if (verdict.kind === 'problem') return verdict.problem;
  return verdict.kind === 'untold' ? verdict.kind : undefined;
}

/** Reduces a verdict to its support; any other verdict counts as no support. */
export function supportOfVerdict({ kind }: PurchaseVerdict): 'supported' | 'lapsed' | 'no-support' {
  return kind === 'untold' || kind === 'problem' ? 'no-support' : kind;
}

/** Tells whether a code has a result, rather than waiting for a connection in an unfinished bulk check. */
export function isSettled(verdict: VerdictWord): boolean {
  return verdict !== 'waiting' && verdict !== 'not-checked';
}
