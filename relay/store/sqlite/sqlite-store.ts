import { stat } from 'node:fs/promises';

import { createAdminStore } from '#relay/store/sqlite/admin';
import { createAudit } from '#relay/store/sqlite/audit';
import { openDatabase } from '#relay/store/sqlite/database';
import { openDiskSync } from '#relay/store/sqlite/disk-sync';
import { createJoinStore } from '#relay/store/sqlite/joining';
import { createServingStore } from '#relay/store/sqlite/serving';
import { createWriteQueue } from '#relay/store/sqlite/write-queue';
import type { Store, StoreClocks } from '#relay/store/store';

/**
 * Opens the embedded store: one SQLite file in WAL mode, every commit on the disk before it counts. One relay at a time serves
 * from it; the command line may write to it meanwhile.
 * @throws NewerSchema when the schema is newer than this program
 */
export function openSqliteStore(path: string, clocks: StoreClocks): Store {
  const database = openDatabase(path);
  const disk = openDiskSync(`${path}-wal`);
  const queue = createWriteQueue(database, disk.reached);
  const audit = createAudit(database, clocks.now);
  const numberOf = (pragma: string): number => {
    const [value] = Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {});
    return Number(value);
  };
  return {
    ...createServingStore(database, queue, audit, clocks),
    ...createAdminStore(database, queue, audit, clocks),
    ...createJoinStore(database, queue, audit, clocks),
    clocks,
    databaseBytes: async () => (await stat(path)).size + (await stat(`${path}-wal`)).size,
    reusableBytes: () => numberOf('freelist_count') * numberOf('page_size'),
    close: async () => {
      // What was asked for before is committed first.
      await queue.write(() => undefined).catch(() => undefined);
      await disk.reached().catch(() => undefined);
      disk.close();
      database.close();
    },
  };
}
