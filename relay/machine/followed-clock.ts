/** A clock that is ahead by more than this, in milliseconds, has jumped; a longer round trip is not conclusive. */
const leastJumpMs = 250;

interface FollowedClock {
  readonly paceNow: () => number;
  /** Adds up the jumps of the database's clock, each including what a round trip may hide. @param now its present value */
  readonly jumpedMs: (now: number) => number;
  readonly compare: () => Promise<void>;
}

/**
 * Follows the database's clock, which all instances share, so that their own clocks may differ.
 * @param steady a clock of this process that may be wrong but never jumps
 * @param ask reads the database's clock
 */
export function followClock(steady: () => number, ask: () => Promise<number>): FollowedClock {
  let offset: number | undefined;
  let jumped = 0;
  const paceNow = (): number => steady() + (offset ?? 0);
  const jumpedMs = (now: number): number => {
    const ahead = now - paceNow();
    if (offset !== undefined && ahead > leastJumpMs) {
      jumped += ahead + leastJumpMs;
      offset += ahead;
    }
    return jumped;
  };
  async function compare(): Promise<void> {
    const before = steady();
    const now = await ask();
    const after = steady();
    if (offset !== undefined && after - before > leastJumpMs) return;
    jumpedMs(now);
    offset = now - (before + after) / 2;
  }
  return { paceNow, jumpedMs, compare };
}
