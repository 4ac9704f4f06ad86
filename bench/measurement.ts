import type { Stage } from '#bench/setup';

/** One thing measured beside the least that it could cost. */
export interface Measurement {
  readonly name: string;
  /** What the limit is, in a few words. */
  readonly limit: string;
  readonly aim: Aim;
  measure(stage: Stage): Promise<Samples>;
}

/** Milliseconds, as many of one as of the other, taken in turn. */
export interface Samples {
  readonly limit: readonly number[];
  readonly ours: readonly number[];
}

/** `slack`: so many milliseconds more than the limit will do as well, whichever is larger. Without a ratio it is only reported. */
export interface Aim {
  readonly ratio?: number;
  readonly slackMs?: number;
}

/** Takes limit and ours in turn, so that what else the machine does falls on both; the first turns only warm up. */
export async function runExclusive(
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
