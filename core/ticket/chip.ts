import type { CheckReport } from '#core/check/check-report';
import { verdictOf } from '#core/check/verdict';

/**
 * All that a chip in a page can show. The ticket script is told one of these and its words, never a reply:
 * what a page can get hold of must be worth nothing.
 */
export type ChipFace =
  | 'ask'
  | 'asking'
  | 'supported'
  | 'lapsed'
  | 'no-support'
  | 'not-found'
  /** The keys are locked: the agent has to act. */
  | 'locked'
  /** No verdict; the panel says why. */
  | 'failed';

/**
 * One face for one code at every connection that was asked: a hit leads; a plain not-found only where nobody failed,
 * since the one that failed may be the one that knows it.
 * @param now epoch milliseconds
 */
export function chipFaceOf(reports: readonly CheckReport[], now: number): ChipFace {
  let face: ChipFace = reports.length === 0 ? 'failed' : 'not-found';
  for (const { outcome } of reports) {
    if (!outcome.ok) {
      face = outcome.fault.kind === 'locked' ? 'locked' : face === 'locked' ? face : 'failed';
    } else if (outcome.value.kind === 'purchase') {
      return verdictOf(outcome.value.purchase, now).kind;
    }
  }
  return face;
}
