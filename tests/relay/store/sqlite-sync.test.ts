import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { storeOn } from '#relay/store/open-store';
import { machineClocks } from '#relay/store/sql';
import { openSqlite } from '#relay/store/sqlite';

// No disk of a test machine can be made to fail a sync, so that this one call is replaced.
vi.mock('node:fs', async (original) => {
  const actual = await original<typeof fs>();
  return { ...actual, fdatasync: vi.fn(actual.fdatasync) };
});

test('after a sync that the disk has failed nothing is taken until the database is opened anew', async () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'relay-sync-'));
  const open = () => storeOn(openSqlite(join(folder, 'relay.db'), machineClocks, 'serve'));
  const store = open();
  await store.putRole({ name: 'lead', sees: [] });
  vi.mocked(fs.fdatasync).mockImplementationOnce((_file, done) => {
    done(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
  });
  await expect(store.putRole({ name: 'first', sees: [] })).rejects.toThrow('EIO');
  await expect(store.putRole({ name: 'second', sees: [] })).rejects.toThrow('EIO');
  await store.close();
  const later = open();
  await later.putRole({ name: 'third', sees: [] });
  await later.close();
  fs.rmSync(folder, { recursive: true });
});

test('a disk that was full takes writes again once it has room', async () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'relay-sync-'));
  const store = storeOn(openSqlite(join(folder, 'relay.db'), machineClocks, 'serve'));
  vi.mocked(fs.fdatasync).mockImplementationOnce((_file, done) => {
    done(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  });
  await expect(store.putRole({ name: 'first', sees: [] })).rejects.toThrow();
  await store.putRole({ name: 'second', sees: [] });
  await store.close();
  fs.rmSync(folder, { recursive: true });
});
