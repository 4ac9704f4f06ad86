import type { Database } from '#relay/store/postgres/database';
import type { StoreClocks } from '#relay/store/store';

/** Follows the database's clock, which all instances share, so that their own clocks may differ. */
export interface DatabaseClock {
  readonly clocks: StoreClocks;
  stop(): void;
}

const everyMs = 10_000;

/**
 * Reads the database's clock now and every ten seconds.
 * @param steady a clock of this process that never jumps, however wrong it is
 */
export async function followDatabaseClock(
  database: Database,
  steady: () => number,
): Promise<DatabaseClock> {
  let offset = 0;
  async function compare(): Promise<void> {
    const before = steady();
    const [row] = await database.query<{ readonly now: number }>('SELECT clock() AS now');
    const middle = (before + steady()) / 2;
    if (row !== undefined) offset = row.now - middle;
  }
  await compare();
  const timer = setInterval(() => {
    // While the database is gone, the last offset holds.
    compare().catch(() => undefined);
  }, everyMs);
  timer.unref();
  const now = (): number => steady() + offset;
  return {
    clocks: { now: () => Math.floor(now()), paceNow: now },
    stop: () => {
      clearInterval(timer);
    },
  };
}
