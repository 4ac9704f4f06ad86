import {
  bestFirst,
  type CheckReport,
  type ExactVerdict,
  isLocked,
  purchaseIn,
  type StoredReport,
  verdictOf,
} from '#core/check/index';
import { type ExpectedItem, isForOtherItem } from '#core/items/expected-item';
import { purchaseProblems } from '#core/marketplaces/index';

type AnsweredReport = Pick<StoredReport, 'connectionId' | 'outcome'>;

/**
 * Names what a chip in a page can show. The ticket script receives a face and its text, never a reply, since the page may read it.
 */
export type ChipFace =
  | 'ask'
  | 'asking'
  | 'supported'
  | 'lapsed'
  | 'no-support'
  | ExactVerdict
  | 'not-found'
  /** Genuine, but for another item than the site's tickets are about. */
  | 'other-item'
  | 'locked'
  /** No verdict; the panel shows the reason. */
  | 'failed';

/** Tells whether a face is the verdict of an answer, rather than the lack of one. */
export function isAnswer(face: ChipFace): boolean {
  return verdictFaces.includes(face);
}

const verdictFaces: readonly ChipFace[] = [
  'supported',
  'lapsed',
  'no-support',
  'untold',
  ...purchaseProblems,
  'not-found',
  'other-item',
];

/** Returns until when the code of a `supported` face is, epoch milliseconds. */
export function supportedUntilOf(reports: readonly CheckReport[], now: number): number | undefined {
  const [report] = bestFirst(reports, now);
  return report && purchaseIn(report.outcome)?.supportedUntil;
}

/**
 * Returns the face for one code at all requested connections: that of the report that `bestFirst` puts first.
 * @param now epoch milliseconds
 * @param expected the item that codes should be for
 */
export function chipFaceOf(
  reports: readonly AnsweredReport[],
  now: number,
  expected?: ExpectedItem,
): ChipFace {
  const [report] = bestFirst(reports, now);
  if (report === undefined) return 'failed';
  const { outcome } = report;
  if (!outcome.ok) return isLocked(outcome) ? 'locked' : 'failed';
  const purchase = purchaseIn(outcome);
  if (purchase === undefined) return 'not-found';
  const verdict = verdictOf(purchase, now);
  if (verdict.kind === 'problem') return verdict.problem;
  return isForOtherItem(report, expected) ? 'other-item' : verdict.kind;
}
