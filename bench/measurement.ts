import type { BenchSetup } from '#bench/setup';

/** Measures one thing beside the least that it could cost. */
export interface Measurement {
  readonly name: string;
  /** What the limit is, in a few words. */
  readonly limit: string;
  readonly goal: Goal;
  measure(setup: BenchSetup): Promise<Samples>;
}

/** Holds milliseconds, measured alternately; both lists have the same length. */
export interface Samples {
  readonly limit: readonly number[];
  readonly ours: readonly number[];
}

/**
 * Says what must hold: ours is at most `ratio` times the limit or `slackMs` above it, whichever is more. Without a
 * ratio it is only reported.
 */
export interface Goal {
  readonly ratio?: number;
  readonly slackMs?: number;
}

/**
 * Measures limit and ours alternately, so that other load on the machine affects both. The first `warmUp` rounds are not
 * counted.
 */
export async function alternate(
  limit: () => Promise<number>,
  ours: () => Promise<number>,
  { rounds = 15, warmUp = 2 }: { rounds?: number; warmUp?: number } = {},
): Promise<Samples> {
  const samples = { limit: [] as number[], ours: [] as number[] };
  for (let round = -warmUp; round < rounds; round += 1) {
    const taken = { limit: await limit(), ours: await ours() };
    if (round < 0) continue;
    samples.limit.push(taken.limit);
    samples.ours.push(taken.ours);
  }
  return samples;
}
