import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, test } from 'vitest';

import { machineClocks } from '#relay/clocks';
import { openSqliteStore } from '#relay/store/sqlite/sqlite-store';
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
async function onDatabase(work: (path: string, database: DatabaseSync) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-store-'));
  const path = join(folder, 'relay.db');
  const store = openSqliteStore(path, machineClocks);
  await store.putRole({ name: 'lead', sees: [] });
  await store.close();
  const database = new DatabaseSync(path);
  try {
    work(path, database);
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

test('a database of a newer relay is not opened', () =>
  onDatabase((path, database) => {
    database.exec('PRAGMA user_version = 99');
    expect(() => openSqliteStore(path, machineClocks)).toThrow('The database has schema 99');
  }));

test('every commit reaches the disk, in WAL mode', () =>
  onDatabase((_path, database) => {
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  }));
