import type { CheckReport } from '#core/check/check-report';
import { verdictOf } from '#core/check/verdict';

/**
 * Names what a chip in a page can show. The ticket script receives a face and its text, never a reply, since the page may read it.
 */
export type ChipFace =
  | 'ask'
  | 'asking'
  | 'supported'
  | 'lapsed'
  | 'no-support'
  | 'not-found'
  /** The keys are locked. */
  | 'locked'
  /** No verdict; the panel shows the reason. */
  | 'failed';

/**
 * Returns the face for one code at all requested connections. A purchase wins; `not-found` only when no connection failed, since
 * a failed one may know the code.
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
