import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Observer } from '#relay/observe/observer';
import { isPostgres, type Store } from '#relay/store/index';

export interface DiskWatch {
  /** True while there is too little for the next hours' audit. */
  readonly low: () => boolean;
  /** Call it when a write has failed for want of room: it is low from now on, until a look finds room again. */
  readonly full: () => void;
  readonly stop: () => void;
}

const everyMs = 60_000;
/** Limits the room with less of which calls are refused, in bytes. */
export const lowBytes = 256 * 1024 * 1024;
/** Bytes on the disk that SQLite's log needs, whatever room is inside the database. */
export const leastDiskBytes = 64 * 1024 * 1024;

/**
 * Returns how much a database takes and how much room is left for it, in bytes.
 * @param roomBytes how large one in PostgreSQL may become: its server tells its own size and nothing about its disk
 */
export async function roomFor(
  store: Pick<Store, 'databaseBytes' | 'reusableBytes'>,
  place: string,
  roomBytes: number | undefined,
): Promise<{ readonly databaseBytes: number; readonly freeBytes: number | undefined }> {
  const databaseBytes = await store.databaseBytes();
  if (isPostgres(place))
    return { databaseBytes, freeBytes: roomBytes && roomBytes - databaseBytes };
  const { bavail, bsize } = await statfs(dirname(place));
  const free = bavail * bsize;
  // Months of the audit that were dropped leave room inside the file; the log beside it needs the disk's own.
  const freeBytes = free < leastDiskBytes ? free : free + store.reusableBytes();
  return { databaseBytes, freeBytes };
}

/**
 * Looks now and every minute. While the room cannot be told, the last finding holds.
 * @param freeBytes undefined where nobody knows
 */
export async function watchDisk(
  freeBytes: () => Promise<number | undefined>,
  observer: Observer,
): Promise<DiskWatch> {
  let low = false;
  function note(free: number): void {
    observer.disk(free);
    low = free < lowBytes;
    if (low) observer.event('disk-low', { freeBytes: free });
  }
  const look = (): Promise<void> =>
    freeBytes().then(
      (free) => {
        if (free !== undefined) note(free);
      },
      (error: unknown) => {
        observer.storeFault('disk', error);
      },
    );
  await look();
  const timer = setInterval(() => void look(), everyMs);
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
