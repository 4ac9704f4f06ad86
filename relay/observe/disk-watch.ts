import type { RelayLog } from '#relay/observe/log';
import type { RelayMetrics } from '#relay/observe/metrics';
import { noteStoreFault } from '#relay/observe/note-store-fault';

/** Watches the room that is left for the database. */
export interface DiskWatch {
  /** True while there is too little for the next hours' audit. */
  readonly low: () => boolean;
  /** Call it when a write has failed for want of room: it is low from now on, until a look finds room again. */
  readonly full: () => void;
  readonly stop: () => void;
}

const everyMs = 60_000;
const lowBytes = 256 * 1024 * 1024;

/**
 * Looks now and every minute. While the room cannot be told, the last finding holds.
 * @param freeBytes undefined where nobody knows
 */
export async function watchDisk(
  freeBytes: () => Promise<number | undefined>,
  parts: { readonly log: RelayLog; readonly metrics: RelayMetrics },
): Promise<DiskWatch> {
  const { log, metrics } = parts;
  let low = false;
  async function look(): Promise<void> {
    const free = await freeBytes();
    if (free === undefined) return;
    note(free);
  }
  function note(free: number): void {
    metrics.disk(free);
    low = free < lowBytes;
    if (low) log.event('disk-low', { freeBytes: free });
  }
  const lookAgain = (): Promise<void> =>
    look().catch((error: unknown) => {
      noteStoreFault(parts, 'disk', error);
    });
  await lookAgain();
  const timer = setInterval(() => void lookAgain(), everyMs);
  return {
    low: () => low,
    full: () => {
      if (!low) note(0);
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}
