import 'fake-indexeddb/auto';

import { expect, it, vi } from 'vitest';

import { createSiteStore } from '#adapters/storage/worker/connection-store';
import { rememberList } from '#adapters/storage/record-list';
import { createTables } from '#adapters/storage/tables';

const site = (origin: string) => ({ origin, automatic: false });

it('is read once until it changes, and anew when it was erased', async () => {
  const list = createSiteStore(createTables(crypto.randomUUID()));
  const read = vi.spyOn(list, 'read');
  const remembered = rememberList(list);
  await remembered.change(() => [site('https://a.example')]);
  expect(await remembered.read()).toHaveLength(1);
  expect(await remembered.read()).toHaveLength(1);
  expect(read).toHaveBeenCalledTimes(1);

  await remembered.change((sites) => [...sites, site('https://b.example')]);
  expect(await remembered.read()).toHaveLength(2);

  await list.change(() => []);
  remembered.forget();
  expect(await remembered.read()).toEqual([]);
});

it('is read again after a reading that failed', async () => {
  const list = createSiteStore(createTables(crypto.randomUUID()));
  vi.spyOn(list, 'read').mockRejectedValueOnce(new Error('blocked'));
  const remembered = rememberList(list);
  await expect(remembered.read()).rejects.toThrow('blocked');
  expect(await remembered.read()).toEqual([]);
});
