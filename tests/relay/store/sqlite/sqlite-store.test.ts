import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { machineClocks, type Store } from '#relay/store/store';
import { createAuditTable, upgrades } from '#relay/store/sqlite/schema';
import { openSqliteStore } from '#relay/store/sqlite/sqlite-store';
import { auditRows } from '#tests/relay/support/audit-rows';
import { describeStore } from '#tests/relay/store/conformance';

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
  await store.putRole({ name: 'lead', sees: [] });
  await store.close();
  const database = new DatabaseSync(path);
  try {
    await work(path, database);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

test('an audit row is neither changed nor deleted', () =>
  onDatabase((_path, database) => {
    const [table] = database
      .prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'audit_2*' AND type = 'table'")
      .all();
    const name = String(table?.['name']);
    expect(() => {
      database.exec(`UPDATE ${name} SET result = 'x'`);
    }).toThrow('never changed');
    expect(() => {
      database.exec(`DELETE FROM ${name}`);
    }).toThrow('never deleted');
  }));

test('a database of schema 3 is upgraded with what is in it, as one that asks a seller API', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-store-'));
  const path = join(folder, 'relay.db');
  const database = new DatabaseSync(path);
  for (const step of upgrades.slice(0, 3)) {
    if (typeof step === 'string') database.exec(step);
    else step(database);
  }
  database.exec(`PRAGMA user_version = 3;
    INSERT INTO connection VALUES ('shop', 'Shop', 'https://shop.test', 'parameter', 'form', 60, 60000, 0);
    INSERT INTO pace VALUES ('shop', 0, 0, 9e15, 0, 0, 0)`);
  database.close();
  const store = openSqliteStore(path, machineClocks);
  const [shop] = await store.connections();
  expect(shop).toMatchObject({ id: 'shop', limit: 60, roles: [] });
  expect(shop).not.toHaveProperty('marketplace');
  await store.close();
  const after = new DatabaseSync(path);
  expect(after.prepare('SELECT held_until, taken FROM pace').get()).toMatchObject({
    held_until: 9e15,
    taken: '[]',
  });
  after.close();
  rmSync(folder, { recursive: true });
});

test('a database of a newer relay is not opened', () =>
  onDatabase((path, database) => {
    database.exec('PRAGMA user_version = 99');
    expect(() => openSqliteStore(path, machineClocks)).toThrow('The database has schema 99');
  }));

test('a reply is on record before its first byte leaves, and is withheld when its token ends meanwhile', () =>
  onDatabase(async (path, other) => {
    const store = openSqliteStore(path, machineClocks);
    const rows = (): unknown[] => {
      const [table] = other
        .prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'audit_2*' AND type = 'table'")
        .all();
      const found = other
        .prepare(`SELECT result FROM ${String(table?.['name'])} WHERE kind = 'reply'`)
        .all();
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
    await store.close();
  }));

describe('while', () => {
  let folder: string;
  let store: Store;
  let relay: DatabaseSync;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'relay-store-'));
    store = openSqliteStore(join(folder, 'relay.db'), machineClocks);
    await store.putRole({ name: 'lead', sees: [] });
    await store.putRole({ name: 'owner', sees: [] });
    relay = new DatabaseSync(join(folder, 'relay.db'), { timeout: 0 });
  });
  afterEach(async () => {
    relay.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  test('another process writes, lists and the audit are read', async () => {
    relay.exec('BEGIN IMMEDIATE');
    expect((await store.roles()).map(({ name }) => name)).toContain('lead');
    const lists = [store.connections(), store.keys(), store.agents(), store.tokens()];
    expect(await Promise.all(lists)).toEqual([[], [], [], []]);
    expect((await auditRows(store)).map(({ result }) => result)).toEqual(['role-set', 'role-set']);
    relay.exec('COMMIT');
  });

  test('the audit is read, another process writes', async () => {
    const results: string[] = [];
    await store.readAudit(undefined, ({ result }) => {
      relay.exec("INSERT INTO role (name, sees) VALUES ('role ' || random(), '')");
      results.push(result);
    });
    expect(results).toEqual(['role-set', 'role-set']);
    expect(await store.roles()).toHaveLength(5);
  });

  /** Makes a month of the audit with many rows, as a table of this name. */
  function makeMonth(name: string): void {
    relay.exec(`${createAuditTable('audit_2020_01')}
      INSERT INTO audit_2020_01 (at, kind, result)
        WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 12000)
        SELECT n, 'reply', 'asked' FROM count;`);
    if (name === 'audit_2020_01') return;
    relay.exec(`DROP TRIGGER audit_2020_01_no_update; DROP TRIGGER audit_2020_01_no_delete;
      ALTER TABLE audit_2020_01 RENAME TO ${name};`);
  }

  /** Counts the rows of that month, wherever they are; undefined once there is no table left. */
  function rowsLeft(): number | undefined {
    const [table] = relay
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '*audit_2020*'")
      .all();
    if (table === undefined) return undefined;
    return Number(relay.prepare(`SELECT count(*) AS n FROM ${String(table['name'])}`).get()?.['n']);
  }

  test('an old month of the audit is dropped, others write between two portions of its rows', async () => {
    makeMonth('audit_2020_01');
    const reusable = store.reusableBytes();
    const left = new Set<number | undefined>();
    const drop = { going: true };
    const dropping = store.dropAuditBefore('2020-02').finally(() => (drop.going = false));
    while (drop.going) {
      await store.putRole({ name: 'busy', sees: [] });
      left.add(rowsLeft());
    }
    expect(await dropping).toEqual(['2020-01']);
    // The file keeps its size.
    expect(store.reusableBytes()).toBeGreaterThan(reusable + 100_000);
    expect([...left]).toEqual(expect.arrayContaining([7_000, 2_000, undefined]));
  });

  test('a month is dropped, what an earlier drop left when it was broken off goes too', async () => {
    makeMonth('dropped_audit_2020_01');
    relay.exec(createAuditTable('audit_2020_02'));
    expect(await store.dropAuditBefore('2020-03')).toEqual(['2020-01', '2020-02']);
    expect(rowsLeft()).toBeUndefined();
    expect(await store.dropAuditBefore('2020-03')).toEqual([]);
    const results = (await auditRows(store)).map(({ result }) => result);
    expect(results).toEqual(['role-set', 'role-set', 'audit-dropped-before-2020-03']);
  });
});

test('every commit reaches the disk, in WAL mode', () =>
  onDatabase((_path, database) => {
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  }));
