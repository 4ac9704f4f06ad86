import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { machineClocks, type Clocks } from '#relay/machine/clocks';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { storeOn } from '#relay/store/open-store';
import type { Store } from '#relay/store/store';
import { makeSchema, openSqlite } from '#relay/store/sqlite';
import { auditRows } from '#tests/relay/support/audit-rows';
import { describeStore } from '#tests/relay/store/conformance';
import { checkAtShop, shop } from '#tests/relay/support/records';

function openSqliteStore(path: string, clocks: Clocks): Store {
  return storeOn(openSqlite(path, clocks, 'serve'));
}

describeStore('the embedded store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-store-'));
  return Promise.resolve({
    open: (clocks) => Promise.resolve(openSqliteStore(join(folder, 'relay.db'), clocks)),
    remove: () => {
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  });
});

/** Runs `work` on the path of a database that a store has made. */
async function onDatabase(
  work: (path: string, database: DatabaseSync) => void | Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-store-'));
  const path = join(folder, 'relay.db');
  const store = openSqliteStore(path, machineClocks);
  await store.putRole({ name: 'lead', maySee: [] });
  await store.close();
  const database = new DatabaseSync(path);
  try {
    await work(path, database);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

test('an audit row is neither changed nor deleted before its time', () =>
  onDatabase(async (path) => {
    const database = openSqlite(path, machineClocks, 'administer');
    await expect(database.batch(["UPDATE audit SET result = 'x'"])).rejects.toThrow(
      'never changed',
    );
    await expect(database.batch(['DELETE FROM audit'])).rejects.toThrow('never deleted');
    await database.close();
  }));

test('a database of a newer relay is not opened', () =>
  onDatabase((path, database) => {
    database.exec('PRAGMA user_version = 99');
    expect(() => openSqliteStore(path, machineClocks)).toThrow('The database has schema 99');
  }));

test('an older database gets the steps that it lacks, each once', () => {
  const database = new DatabaseSync(':memory:');
  const steps = ['CREATE TABLE a (x)', 'CREATE TABLE b (x)', 'ALTER TABLE a ADD y'];
  for (const count of [1, 3, 3]) makeSchema(database, steps.slice(0, count));
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 3 });
  expect(database.prepare("SELECT name FROM pragma_table_info('a')").all()).toHaveLength(2);
});

test('no slot is forgotten by a process that begins after the wall clock was set', () =>
  onDatabase(async (path) => {
    let wall = Date.UTC(2026, 10, 15);
    const began = wall;
    const serving = openSqliteStore(path, { now: () => wall, paceNow: () => began });
    await serving.addConnection({ ...shop, limit: 3 });
    let asked = 0;
    const take = async (store: Store): Promise<boolean> => {
      const lease = { key: String((asked += 1)), holder: 'one', forMs: 1_000 };
      const connection = { ...shop, limit: 3 };
      const about = { connection, subject: checkAtShop, lease, bulk: false, unlessCached: true };
      return (await store.takeSlot({ ...about, deadlineMs: 2_000 })).granted;
    };
    expect(await take(serving)).toBe(true);
    wall += 120_000;
    expect(await take(serving)).toBe(true);
    const later = openSqliteStore(path, { now: () => wall, paceNow: () => began + 120_000 });
    const granted = [await take(later), await take(later), await take(serving)];
    expect(granted.filter(Boolean).length).toBeLessThanOrEqual(1);
    await Promise.all([serving.close(), later.close()]);
  }));

test('a quota begins anew at midnight, also where the wall clock was set after the process began', () =>
  onDatabase(async (path) => {
    let wall = Date.UTC(2026, 10, 15, 22);
    const behindMs = 6 * 3_600_000;
    const clocks = { now: () => wall, paceNow: () => wall - behindMs };
    const store = openSqliteStore(path, clocks);
    await store.addConnection(shop);
    await store.addAgent({ id: 'ada', email: 'ada@fenwick.test', role: 'agent' });
    const take = (key: string) =>
      store.takeSlot({
        connection: shop,
        subject: checkAtShop,
        bulk: false,
        unlessCached: true,
        quota: 1,
        deadlineMs: 2_000,
        lease: { key, holder: key, forMs: 1_000 },
      });
    const usedToday = async () => (await store.agents())[0]?.today;
    expect([(await take('a')).granted, await usedToday()]).toEqual([true, 1]);
    const midnight = Date.UTC(2026, 10, 16) - behindMs;
    expect(await take('b')).toEqual({ granted: false, reason: 'quota', at: midnight });
    wall = Date.UTC(2026, 10, 16);
    expect(await usedToday()).toBeUndefined();
    expect([(await take('c')).granted, await usedToday()]).toEqual([true, 1]);
    await store.close();
  }));

test('a reply is on record before its first byte leaves, and is withheld when its token ends meanwhile', () =>
  onDatabase(async (path, other) => {
    const store = openSqliteStore(path, machineClocks);
    const rows = (): unknown[] => {
      const found = other.prepare("SELECT result FROM audit WHERE kind = 'reply'").all();
      return found.map(({ result }) => result);
    };
    const token = 't1';
    await store.addAgent({ id: 'ada', email: 'ada@fenwick.test', role: 'agent' });
    const hash = Buffer.alloc(32, 9);
    const now = Date.now();
    const times = { createdAt: now, expiresAt: now + 60_000 };
    await store.addInvite({ id: 'i1', agent: 'ada', hash, ...times });
    const record = { id: token, hash, signedInAt: now, expiresAt: now + 60_000, revokedAt: 0 };
    await store.redeemInvite('i1', hash, record);
    const about = { connection: 'shop', call: 'account', codeHmac: '', codeLast4: '' } as const;
    const subject = { callId: 'call', agent: 'ada', token, ...about };
    let atBegin: unknown[] = [];
    const released = await store.release(subject, 'asked', () => (atBegin = rows()));
    expect([released, atBegin]).toEqual(['begun', ['asked']]);
    // Between the commit of its row and its first byte.
    const revoked = store.release(subject, 'cached', () => expect.unreachable());
    // In every turn of the event loop, and so before the one that would begin it.
    const revokeOnceRecorded = (): void => {
      if (rows().length < 2) setImmediate(revokeOnceRecorded);
      else other.exec(`UPDATE token SET revoked_at = 1 WHERE id = '${token}'`);
    };
    revokeOnceRecorded();
    expect(await revoked).toBe('withheld');
    expect(rows()).toEqual(['asked', 'cached', 'withheld']);
    // One whose row says so is not begun, even where its token holds again.
    const late = store.release(subject, 'asked', () => expect.unreachable());
    const undoOnceRecorded = (): void => {
      if (rows().length < 4) setImmediate(undoOnceRecorded);
      else other.exec(`UPDATE token SET revoked_at = 0 WHERE id = '${token}'`);
    };
    undoOnceRecorded();
    expect(await late).toBe('withheld');
    expect(rows()).toEqual(['asked', 'cached', 'withheld', 'withheld']);
    await store.close();
  }));

describe('while', () => {
  let folder: string;
  let store: Store;
  let relay: DatabaseSync;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'relay-store-'));
    store = openSqliteStore(join(folder, 'relay.db'), machineClocks);
    await store.putRole({ name: 'lead', maySee: [] });
    await store.putRole({ name: 'owner', maySee: [] });
    relay = new DatabaseSync(join(folder, 'relay.db'), { timeout: 0 });
  });
  afterEach(async () => {
    relay.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const roleRows = ['role-set lead: nothing', 'role-set owner: nothing'];

  test('another process writes, lists and the audit are read', async () => {
    relay.exec('BEGIN IMMEDIATE');
    expect((await store.roles()).map(({ name }) => name)).toContain('lead');
    const lists = [store.connections(), store.keys(), store.agents(), store.tokens()];
    expect(await Promise.all(lists)).toEqual([[], [], [], []]);
    expect((await auditRows(store)).map(({ result }) => result)).toEqual(roleRows);
    relay.exec('COMMIT');
  });

  test('the audit is read, another process writes', async () => {
    const results: string[] = [];
    await store.readAudit(undefined, ({ result }) => {
      relay.exec("INSERT INTO role (name, sees) VALUES ('role ' || random(), '')");
      results.push(result);
    });
    expect(results).toEqual(roleRows);
    expect(await store.roles()).toHaveLength(5);
  });

  /** Puts many rows of an old month into the audit. */
  function addOldRows(): void {
    relay.exec(`INSERT INTO audit (at, kind, result)
      WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 12000)
      SELECT n, 'reply', 'asked' FROM count;`);
  }
  const oldRows = (): number =>
    Number(relay.prepare('SELECT count(*) AS n FROM audit WHERE at < 20000').get()?.['n']);

  test('old rows of the audit are deleted, others write between two portions of them', async () => {
    addOldRows();
    const reusable = store.reusableBytes();
    const left = new Set<number>();
    const drop = { going: true };
    await store.keepAudit(1);
    const dropping = store.dropOldAudit().finally(() => (drop.going = false));
    while (drop.going) {
      await store.putRole({ name: 'busy', maySee: [] });
      left.add(oldRows());
    }
    expect(await dropping).toBe(12_000);
    // The file keeps its size.
    expect(store.reusableBytes()).toBeGreaterThan(reusable + 100_000);
    expect([...left]).toEqual(expect.arrayContaining([7_000, 2_000, 0]));
  });
});

test('the room that a full disk has used up is kept anew while the relay serves', () =>
  onDatabase(async (path) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    rmSync(`${path}-reserve`);
    const store = openSqliteStore(path, machineClocks);
    const isKept = (): boolean => existsSync(`${path}-reserve`);
    await expect.poll(isKept).toBe(true);
    rmSync(`${path}-reserve`);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    await expect.poll(isKept).toBe(true);
    await store.close();
  }));

test('every commit reaches the disk, in WAL mode', () =>
  onDatabase((_path, database) => {
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  }));
