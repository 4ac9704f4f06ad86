import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import {
  createAdminStore,
  type Dialect,
  type Statement,
  type Steps,
} from '#relay/store/admin-store';
import { createJoinStore } from '#relay/store/join-store';
import { type Audit, createAudit } from '#relay/store/sqlite/audit';
import { openDatabase, reading } from '#relay/store/sqlite/database';
import { openDiskSync } from '#relay/store/sqlite/disk-sync';
import { createServingStore } from '#relay/store/sqlite/serving';
import { createWriteQueue, type WriteQueue } from '#relay/store/sqlite/write-queue';
import { DiskFull, type Store, type StoreClocks } from '#relay/store/store';

/** Keeps room on the disk, so that rights can be taken away when it is full. */
interface Reserve {
  /** Takes the room, unless it is taken already or the disk has little. Never rejects. */
  readonly keep: () => Promise<void>;
  /** Gives it to the next writes; false when there was none. */
  readonly free: () => boolean;
}

/** A revocation writes some tens of pages of 4 KiB. */
const reserveBytes = 1024 * 1024;
/** With less, the reserve itself might be what fills the disk. */
const plentyBytes = 16 * reserveBytes;

/** Creates a reserve of one file. */
function createReserve(path: string): Reserve {
  const isThere = (): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
  async function make(): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(path));
    if (bavail * bsize < plentyBytes) return;
    // Under another name until it is whole. Random, since zeros take no room on some file systems.
    const part = `${path}-${randomBytes(4).toString('hex')}`;
    try {
      await writeFile(part, randomBytes(reserveBytes), { mode: 0o600, flush: true });
      await rename(part, path);
    } finally {
      await rm(part, { force: true });
    }
  }
  return {
    keep: async () => {
      if (!isThere()) await make().catch(() => undefined);
    },
    free: () => {
      const held = isThere();
      rmSync(path, { force: true });
      return held;
    },
  };
}

function createDialect(database: DatabaseSync, { write }: WriteQueue, audit: Audit): Dialect {
  const run = ([sql, values = []]: Statement): Record<string, unknown>[] => {
    const named = values.map((value, n) => {
      const bound = typeof value === 'boolean' ? Number(value) : (value ?? null);
      return [`$${String(n + 1)}`, bound] as const;
    });
    return database.prepare(sql).all(Object.fromEntries(named));
  };
  const runAll = <T>(steps: Steps<T>): T => {
    let step = steps.next([]);
    while (step.done !== true) step = steps.next(run(step.value));
    return step.value;
  };
  return {
    read: reading((...statement) => run(statement)),
    run: (...statement) => write(() => run(statement)),
    transact: (steps) => write(() => runAll(steps())),
    // The queue shares its transactions already.
    together: (work) => async (one) => {
      const answers = await work([one]);
      return answers[0] as (typeof answers)[number];
    },
    record: (result, subject) => {
      audit.add('admin', result, subject);
      return [];
    },
    ...audit.months,
    forUpdate: '',
    isReplyOf: "key GLOB $1 || ':*'",
    revokeToken:
      'UPDATE token SET revoked_at = clock() WHERE id = $1 AND revoked_at = 0 RETURNING 1',
    followRole: 'UPDATE agent SET role = $2 WHERE id = $1 AND role <> $2 RETURNING 1',
    insertJoins: (joins) =>
      joins.map(({ id, hash, state, challenge, expiresAt }) => [
        'INSERT INTO pending_join VALUES ($1, $2, $3, $4, $5, NULL, NULL, 0)',
        [id, hash, state, challenge, expiresAt],
      ]),
  };
}

/**
 * Opens the embedded store: one SQLite file in WAL mode, every commit on the disk before it counts. One relay at a time serves
 * from it; the command line may write to it meanwhile. Beside it lies a file that is removed when the disk is full and somebody's
 * rights are taken away.
 * @param operator stands in the audit of the administrator's changes
 * @throws NewerSchema when the schema is newer than this program, DiskFull
 */
export function openSqliteStore(
  path: string,
  clocks: StoreClocks,
  purpose: 'serve' | 'administer' = 'serve',
  operator?: string,
): Store {
  const reserve = createReserve(`${path}-reserve`);
  /** Tries again with the room that was kept back. */
  const mayTry = (error: unknown): boolean => error instanceof DiskFull && reserve.free();
  const database = openDatabase(path, purpose === 'administer' ? reserve.free : undefined);
  const kept = reserve.keep();
  const disk = openDiskSync(`${path}-wal`);
  const queue = createWriteQueue(database, disk.reached);
  database.function('clock', clocks.now);
  const audit = createAudit(database, queue, clocks.now, operator);
  const dialect = createDialect(database, queue, audit);
  const numberOf = (pragma: string): number => {
    const [value] = Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {});
    return Number(value);
  };
  const admin = createAdminStore(dialect);
  const taking = <T>(take: () => Promise<T>): Promise<T> =>
    take().catch((error: unknown) => {
      if (mayTry(error)) return take();
      throw error;
    });
  return {
    ...createServingStore(database, queue, audit, clocks),
    ...admin,
    removeConnection: (id) => taking(() => admin.removeConnection(id)),
    removeAgent: (id) => taking(() => admin.removeAgent(id)),
    revokeInvites: (agent) => taking(() => admin.revokeInvites(agent)),
    revokeToken: (id) => taking(() => admin.revokeToken(id)),
    setRole: (agent, role) => taking(() => admin.setRole(agent, role)),
    ...createJoinStore(dialect),
    clocks,
    databaseBytes: async () => (await stat(path)).size + (await stat(`${path}-wal`)).size,
    reusableBytes: () => numberOf('freelist_count') * numberOf('page_size'),
    close: async () => {
      await kept;
      // What was asked for before is committed first.
      await queue.write(() => undefined).catch(() => undefined);
      await disk.reached().catch(() => undefined);
      disk.close();
      database.close();
    },
  };
}
