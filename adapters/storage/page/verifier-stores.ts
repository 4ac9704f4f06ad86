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
 * Stores the pinned public keys of this browser profile. They are read at each use and never cached, so that a key
 * revoked in another window is revoked everywhere at once. If storage cannot be read, no keys are returned. The bytes
 * are not validated here; the verify worker does that each time.
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
/** The key of the last unreadable value, which is kept unchanged and not read. */
const asideKey = 'latest-seen-unreadable';

/**
 * Stores the latest moment that this device's clock has ever shown, epoch milliseconds, to recognise a clock that was
 * turned back. Pass only moments of the real clock.
 */
interface ClockMemory {
  /** Stores the present, and returns the latest moment seen so far, including the present. */
  note(now: number): Promise<number>;
  /** Resets the latest moment to the present, after the agent has said that the clock was wrong. */
  reset(now: number): Promise<void>;
}

interface LatestMoment {
  /** Epoch milliseconds. */
  readonly at: number;
}

export const latestMomentCodec = defineRecord<LatestMoment>(({ at }) =>
  typeof at === 'number' && Number.isSafeInteger(at) ? succeed({ at }) : fail('at'),
);

/** Stores it in IndexedDB, shared by every page of this origin. If storage fails, `note` returns the present. */
export function createClockMemory(): ClockMemory {
  const store = createStore('counterfoil-clock', 'clock');

  /** Does not change a value of a newer version. If two pages write at once, the later moment stays. */
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
