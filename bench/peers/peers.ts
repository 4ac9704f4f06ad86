import { markdownTable } from '#bench/measurement';
import { packageBytes, popupBytes } from '#bench/peers/bytes';
import { type Contest, hold } from '#bench/peers/contest';
import { documentsVerified } from '#bench/peers/documents';
import { codesFound } from '#bench/peers/finding';
import { oneCode, thousandCodes } from '#bench/peers/lookups';
import { installed, popupPainted } from '#bench/peers/opening';
import { relayedCall } from '#bench/peers/relayed';
import type { BenchSetup } from '#bench/setup';

export const contests: readonly Contest[] = [
  documentsVerified,
  thousandCodes,
  oneCode,
  codesFound,
  relayedCall,
  popupBytes,
  packageBytes,
  popupPainted,
  installed,
];

/** Measures ours beside what a user would pick instead, and prints the table of docs/performance.md. */
export async function measurePeers(
  setup: BenchSetup,
  only: string,
  { runs }: { readonly runs: number },
): Promise<number> {
  const rows: (readonly string[])[] = [['Work', 'Ours', 'Peers', 'Goal']];
  for (const contest of contests) {
    if (!contest.work.includes(only)) continue;
    console.error(`Measuring: ${contest.work} …`);
    const row = await hold(contest, setup, runs);
    console.error(`  ${row.join(' | ')}`);
    rows.push(row);
  }
  console.log(markdownTable(rows));
  return 0;
}
