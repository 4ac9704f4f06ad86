import { mkdtempSync, rmSync } from 'node:fs';
import { machineClocks } from '#relay/machine/clocks';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { storeOn } from '#relay/store/open-store';
import type { Store } from '#relay/store/store';
import { openSqlite } from '#relay/store/sqlite';

/** Opens stores on one file, whose disk fails a sync with each code that is noted. */
function failingDisk(): { readonly failures: string[]; readonly open: () => Store } {
  const folder = mkdtempSync(join(tmpdir(), 'relay-sync-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const failures: string[] = [];
  const sync = (): Promise<void> => {
    const code = failures.shift();
    if (code === undefined) return Promise.resolve();
    return Promise.reject(Object.assign(new Error(code), { code }));
  };
  const path = join(folder, 'relay.db');
  return { failures, open: () => storeOn(openSqlite(path, machineClocks, 'serve', sync)) };
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

test('a disk that was full takes writes again once it has room', async () => {
  const { failures, open } = failingDisk();
  const store = open();
  failures.push('ENOSPC');
  await expect(store.putRole({ name: 'first', maySee: [] })).rejects.toThrow();
  await store.putRole({ name: 'second', maySee: [] });
  await store.close();
});
