import { createStore, get, set, update } from 'idb-keyval';

const key = 'latest-seen';

/**
 * The latest moment that this device's clock has ever shown, epoch milliseconds: what a clock turned back is known by.
 * Fed by the real clock alone.
 */
export interface ClockMemory {
  /** Takes note of the present and says the latest moment seen until then, the present included. */
  note(now: number): Promise<number>;
  /** After the agent's own word that the clock was wrong: the present counts again. */
  reset(now: number): Promise<void>;
}

/** Kept in IndexedDB, shared by every page of this origin. Where storage fails, the present is all there is. */
export function createClockMemory(): ClockMemory {
  const store = createStore('counterfoil-clock', 'clock');
  /** Nobody waits for the disk; of two pages that write at once the later moment stays. */
  const keep = (now: number): Promise<void> =>
    update<number>(key, (kept) => Math.max(now, readMoment(kept) ?? now), store).catch(
      () => undefined,
    );
  return {
    async note(now) {
      try {
        const latest = readMoment(await get(key, store)) ?? now;
        if (latest <= now) void keep(now);
        return Math.max(now, latest);
      } catch {
        return now;
      }
    },
    async reset(now) {
      await set(key, now, store).catch(() => undefined);
    },
  };
}

function readMoment(kept: unknown): number | undefined {
  return typeof kept === 'number' && Number.isSafeInteger(kept) ? kept : undefined;
}
