import { mkdtempSync, rmSync } from 'node:fs';
import { machineClocks } from '#relay/machine/clocks';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, onTestFinished, test } from 'vitest';

import { storeOn, whyRefused } from '#relay/store/open-store';
import type { Store } from '#relay/store/store';
import { openSqlite } from '#relay/store/sqlite';

/** Opens stores on one file, whose disk fails a sync with each code that is noted. */
function failingDisk(): {
  readonly failures: (string | number)[];
  readonly path: string;
  readonly open: () => Store;
} {
  const folder = mkdtempSync(join(tmpdir(), 'relay-sync-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const failures: (string | number)[] = [];
  const sync = (): Promise<void> => {
    const code = failures.shift();
    if (code === undefined) return Promise.resolve();
    const codes = typeof code === 'string' ? { code } : { errcode: code };
    return Promise.reject(Object.assign(new Error(String(code)), codes));
  };
  const path = join(folder, 'relay.db');
  return { failures, path, open: () => storeOn(openSqlite(path, machineClocks, 'serve', sync)) };
}

test('after a sync that the disk has failed nothing is taken until the database is opened anew', async () => {
  const { failures, open } = failingDisk();
  const store = open();
  await store.putRole({ name: 'lead', maySee: [] });
  failures.push('EIO');
  await expect(store.putRole({ name: 'first', maySee: [] })).rejects.toThrow('EIO');
  await expect(store.putRole({ name: 'second', maySee: [] })).rejects.toThrow('EIO');
  await store.close();
  const later = open();
  await later.putRole({ name: 'third', maySee: [] });
  await later.close();
});

test('after a sync that failed for want of room nothing is taken until the database has what the log holds', async () => {
  const { failures, path, open } = failingDisk();
  const store = open();
  await store.putRole({ name: 'lead', maySee: [] });
  const reader = new DatabaseSync(path);
  reader.exec('BEGIN; SELECT count(*) FROM role');
  failures.push('ENOSPC');
  for (const name of ['first', 'second'])
    await expect(store.putRole({ name, maySee: [] })).rejects.toThrow('full');
  reader.close();
  await store.putRole({ name: 'third', maySee: [] });
  await store.close();
});

test('of the disk’s errors those alone read as a full one that room would mend', async () => {
  for (const [errcode, why] of [
    [778, 'disk full'],
    [266, undefined],
  ] as const) {
    const { failures, open } = failingDisk();
    const store = open();
    failures.push(errcode);
    const failed = await store.putRole({ name: 'first', maySee: [] }).catch(whyRefused);
    expect(failed).toBe(why);
    await store.close();
  }
});

test('a disk that was full takes writes again once it has room', async () => {
  const { failures, open } = failingDisk();
  const store = open();
  failures.push('ENOSPC');
  await expect(store.putRole({ name: 'first', maySee: [] })).rejects.toThrow();
  await store.putRole({ name: 'second', maySee: [] });
  await store.close();
});
