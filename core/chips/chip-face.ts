import { type CheckReport, isLocked, purchaseIn } from '#core/check/index';
import {
  type AnsweredReport,
  bestFirst,
  type VerdictWord,
  verdicts,
  wordOf,
} from '#core/verdict/index';
import type { ExpectedItem } from '#core/items/index';

/**
 * What a chip in a page can show. The ticket script receives a face and its text, never a reply, since the page may
 * read it.
 */
export type ChipFace =
  | 'ask'
  | 'asking'
  | Exclude<VerdictWord, 'fault' | 'waiting' | 'not-checked'>
  | 'locked'
  /** No verdict; the panel shows the reason. */
  | 'failed';

/** Tells whether a face shows a verdict, rather than that there is none. */
export function isAnswer(face: ChipFace): boolean {
  return verdicts.some((verdict) => verdict === face);
}

/** Returns when support ends for the code of a `supported` face, epoch milliseconds. */
export function supportedUntilOf(reports: readonly CheckReport[], now: number): number | undefined {
  const [report] = bestFirst(reports, now);
  return report && purchaseIn(report.outcome)?.supportedUntil;
}

/**
 * Returns the face for one code: that of the report which `bestFirst` ranks first among all requested connections.
 * @param now epoch milliseconds
 * @param expected the item that codes should be for
 */
export function chipFaceOf(
  reports: readonly AnsweredReport[],
  now: number,
  expected?: ExpectedItem,
): ChipFace {
  const [report] = bestFirst(reports, now);
  const word = report === undefined ? 'waiting' : wordOf(report, expected, now);
  if (word !== 'fault' && word !== 'waiting') return word;
  return isLocked(report?.outcome) ? 'locked' : 'failed';
}
