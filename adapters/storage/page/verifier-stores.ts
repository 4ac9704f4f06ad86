import type { KeyRingPort } from '#core/key-ring/index';
import { fail, succeed } from '#core/result';
import {
  defineRecord,
  type Tables,
  createTables,
  isNewerDatabase,
  type StoredReading,
} from '#adapters/storage/tables';
import { listen } from '#adapters/browser/announcements';
import { pinnedKeyCodec } from '#adapters/storage/pinned-key-codec';
import { createRecordList } from '#adapters/storage/record-list';
import { createStore, get, promisifyRequest } from 'idb-keyval';

const listName = 'pinned-keys';

/**
 * Stores the pinned public keys of this browser profile. They are read at each use and never kept in memory, so that a
 * key revoked in another window is revoked everywhere at once. No keys are returned where storage cannot be read, and
 * bytes are not judged: the verify worker does that, each time.
 */
export function createKeyRing(tables: Tables = createTables()): KeyRingPort {
  const list = createRecordList(tables, listName, pinnedKeyCodec);
  return {
    async read() {
      return [...(await list.read().catch(() => []))];
    },
    async change(change) {
      const written = await list.change(change).catch(() => undefined);
      if (written?.ok !== true) return fail({ kind: 'not-stored' });
      return succeed([...written.value]);
    },
    async unused() {
      try {
        const { unreadable, newer } = await list.unused();
        return { unreadable: unreadable.length, newer };
      } catch (error) {
        return { unreadable: 0, newer: isNewerDatabase(error) };
      }
    },
    async removeUnreadable() {
      await list.removeUnreadable(() => true);
    },
    watch: (changed) =>
      listen('lists', (name) => {
        if (name === listName) changed();
      }),
  };
}

const key = 'latest-seen';
/** The last value that could not be read, as it was: nothing reads it. */
const asideKey = 'latest-seen-unreadable';

/**
 * Stores the latest moment that this device's clock has ever shown, epoch milliseconds, by which a clock turned back is
 * recognised. Fed by the real clock alone.
 */
interface ClockMemory {
  /** Stores the present, and returns the latest moment seen until then, the present included. */
  note(now: number): Promise<number>;
  /** Makes the present count again, once the agent has said that the clock was wrong. */
  reset(now: number): Promise<void>;
}

interface LatestMoment {
  /** Epoch milliseconds. */
  readonly at: number;
}

export const latestMomentCodec = defineRecord<LatestMoment>(({ at }) =>
  typeof at === 'number' && Number.isSafeInteger(at) ? succeed({ at }) : fail('at'),
);

/** Stores in IndexedDB, shared by every page of this origin. Where storage fails, the present is returned. */
export function createClockMemory(): ClockMemory {
  const store = createStore('counterfoil-clock', 'clock');

  /** Leaves the value of a newer version as it is. Of two pages that write at once the later moment stays. */
  const write = (next: (latest: number | undefined) => number): Promise<void> =>
    store(
      'readwrite',
      (moments) =>
        new Promise((resolve, reject) => {
          const request: IDBRequest<unknown> = moments.get(key);
          request.onsuccess = () => {
            const reading = read(request.result);
            if (reading?.kind === 'unreadable') moments.put(request.result, asideKey);
            const latest = reading?.kind === 'readable' ? reading.record.at : undefined;
            if (reading?.kind !== 'newer')
              moments.put(latestMomentCodec.write({ at: next(latest) }), key);
            promisifyRequest(moments.transaction).then(resolve, reject);
          };
          request.onerror = () => {
            reject(request.error ?? new Error('The moment could not be read.'));
          };
        }),
    );

  return {
    async note(now) {
      try {
        const reading = read(await get(key, store));
        const latest = reading?.kind === 'readable' ? reading.record.at : now;
        // No caller waits for the disk.
        if (latest <= now)
          void write((stored) => Math.max(now, stored ?? now)).catch(() => undefined);
        return Math.max(now, latest);
      } catch {
        return now;
      }
    },
    async reset(now) {
      await write(() => now).catch(() => undefined);
    },
  };
}

function read(value: unknown): StoredReading<LatestMoment> | undefined {
  return value === undefined ? undefined : latestMomentCodec.read(value);
}
