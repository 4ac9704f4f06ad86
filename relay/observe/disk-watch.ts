import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Observer } from '#relay/observe/observer';
import { isPostgres, type Store } from '#relay/store/index';

export interface DiskWatch {
  /** True if there is too little room for the audit of the next hours. */
  readonly low: () => boolean;
  /** Call it when a write has failed because the disk is full. Then `low` is true until a check finds room again. */
  readonly full: () => void;
  readonly stop: () => void;
}

const everyMs = 60_000;
/** With less room than this, in bytes, calls are refused. */
export const lowBytes = 256 * 1024 * 1024;
/** The free bytes on the disk that SQLite's log needs, regardless of free room inside the database. */
export const leastDiskBytes = 64 * 1024 * 1024;

/**
 * Returns the size of a database and the room left for it, in bytes.
 * @param roomBytes the allowed size of a PostgreSQL database, since its server reports its size but nothing about its disk
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
  // Dropped months of the audit leave room inside the file, but the log next to it needs room on the disk.
  const freeBytes = free < leastDiskBytes ? free : free + store.reusableBytes();
  return { databaseBytes, freeBytes };
}

/**
 * Checks now and every minute. If the room is unknown, the last finding stays.
 * @param freeBytes undefined if unknown
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
