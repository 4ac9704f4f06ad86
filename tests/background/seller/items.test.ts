import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { fail, succeed } from '#core/result';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import type { ItemId } from '#core/item-id';

let harness: WorkerHarness;
let connectionId: string;
beforeEach(async () => {
  harness = await createWorkerHarness();
  ({ id: connectionId } = await harness.connect('/market'));
});
afterEach(() => harness.close());

const all = (id = connectionId) => harness.ask('items.all', { connectionId: id });
const one = (itemId: ItemId) => harness.ask('items.item', { connectionId, itemId });
const paths = async () => (await harness.requests()).map(({ path }) => path);

describe('all items of a connection', () => {
  test('are cached, and counted with the moment they came', async () => {
    const refreshed = await all();
    const { items, listing } = await harness.items.read(connectionId);
    expect(refreshed).toMatchObject(
      succeed({ count: items.length, unreadable: 0, fetchedAt: listing?.fetchedAt }),
    );
    expect(items.length).toBeGreaterThan(0);
    expect(refreshed.ok && 'noneFound' in refreshed.value).toBe(false);
  });

  test('come in one request for all who ask at once, and in another for who asks later', async () => {
    const [first, second] = await Promise.all([all(), all()]);
    expect(second).toBe(first);
    expect(await paths()).toHaveLength(1);
    expect(await all()).not.toBe(first);
    expect(await paths()).toHaveLength(1);
  });

  test('that the server does not list are told from a shop without any, in its own words', async () => {
    const { id } = await harness.connect('/dialect/one-item');
    expect(await all(id)).toMatchObject({
      value: { count: 0, noneFound: expect.any(String) as string },
    });
  });

  test('stay in the cache when they cannot be fetched, and the fault is told', async () => {
    await all();
    const before = await harness.items.read(connectionId);
    await harness.injectFault({ fault: 'html-500', base: '/market' });
    expect(await all()).toMatchObject(fail({ kind: 'server-error' }));
    expect(await harness.items.read(connectionId)).toEqual(before);
    await harness.requests();
    harness.granted.clear();
    expect(await all()).toMatchObject(fail({ kind: 'not-permitted' }));
    expect(await paths()).toEqual([]);
  });

  test('are not cached for a connection that was deleted while they were on their way', async () => {
    // The pace of the connection is noted while the request is sent.
    vi.spyOn(harness.session, 'set').mockImplementationOnce(async () => {
      await harness.ask('connections.delete', { id: connectionId });
    });
    expect(await all()).toEqual(fail({ kind: 'no-connection' }));
    expect(await paths()).toHaveLength(1);
    expect((await harness.items.read(connectionId)).items).toEqual([]);
  });

  test('stay in the cache when there are none because the key is wrong, which is told', async () => {
    await all();
    const { items } = await harness.items.read(connectionId);
    const saved = await harness.connect('/market', { id: connectionId, apiKey: 'not-the-key' });
    expect(saved.id).toBe(connectionId);
    expect(await all()).toMatchObject(fail({ kind: 'refused', about: 'key' }));
    expect((await harness.items.read(connectionId)).items).toEqual(items);
  });

  test('are believed to be none after an account check of that moment alone', async () => {
    const { id } = await harness.connect('/dialect/one-item');
    await harness.ask('connections.test', { id });
    await harness.requests();
    expect(await all(id)).toMatchObject(succeed({ count: 0 }));
    expect(await paths()).toEqual([
      '/dialect/one-item/api/items/all',
      '/dialect/one-item/api/account/details',
    ]);
  });

  test('are not reported as cached on a full disk', async () => {
    harness.setDiskFull(true);
    expect(await all()).toEqual(fail({ kind: 'storage-full' }));
  });
});

describe('one item', () => {
  async function anyItemId(): Promise<ItemId> {
    await all();
    const [first] = (await harness.items.read(connectionId)).items;
    if (first === undefined) throw new Error('There is no item.');
    return first.item.id;
  }

  test('is cached when it is looked up', async () => {
    const { id } = await harness.connect('/demo');
    await harness.ask('items.all', { connectionId: id });
    const [first] = (await harness.items.read(id)).items;
    const itemId = first?.item.id ?? -1;
    await harness.items.forgetConnection(id);
    const found = await harness.ask('items.item', { connectionId: id, itemId });
    expect(found).toMatchObject(succeed({ kind: 'item', item: { id: itemId } }));
    expect(await harness.items.find(id, itemId)).toMatchObject({ item: { id: itemId } });
  });

  test('that is not known is none, with the server’s words, and is not cached', async () => {
    expect(await one(987_654)).toMatchObject(
      succeed({ kind: 'not-found', msg: expect.any(String) as string }),
    );
    expect(await harness.items.find(connectionId, 987_654)).toBeUndefined();
  });

  test('is not said to be missing when the key is wrong', async () => {
    const itemId = await anyItemId();
    await harness.connect('/market', { id: connectionId, apiKey: 'not-the-key' });
    expect(await one(itemId)).toMatchObject(fail({ kind: 'refused', about: 'key' }));
  });

  test('is returned even where a full disk keeps it from the cache', async () => {
    const itemId = await anyItemId();
    harness.setDiskFull(true);
    expect(await one(itemId)).toMatchObject(succeed({ item: { id: itemId } }));
  });

  test('is not asked for without the browser’s permission', async () => {
    harness.granted.clear();
    expect(await one(1)).toMatchObject(fail({ kind: 'not-permitted' }));
    expect(await paths()).toEqual([]);
  });
});
