import { createStore, set } from 'idb-keyval';
import { describe, expect, it } from 'vitest';

import { type StoredConnection, createConnectionStore } from '#adapters/storage/connection-store';
import { defaultDialect } from '#core/connections/connection';

const connection = (id: string): StoredConnection => ({
  id,
  name: `Shop ${id}`,
  baseAddress: `https://${id}.example/shop`,
  revision: 1,
  dialect: defaultDialect,
});

describe('connections at rest', () => {
  it('come back in their order', async () => {
    const place = createStore(crypto.randomUUID(), 'records');
    const store = createConnectionStore(place);
    expect(await store.read()).toEqual([]);
    await store.change(() => [connection('b'), { ...connection('a'), deletedUntil: 7 }]);
    expect(await createConnectionStore(place).read()).toEqual([
      connection('b'),
      { ...connection('a'), deletedUntil: 7 },
    ]);
  });

  it('lose no change to another that is made at the same time', async () => {
    const store = createConnectionStore(createStore(crypto.randomUUID(), 'records'));
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) => store.change((all) => [...all, connection(id)])),
    );
    expect((await store.read()).map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    ['an address over the open net', { ...connection('x'), baseAddress: 'http://x.example' }],
    [
      'an address that was not normalised',
      { ...connection('x'), baseAddress: 'https://x.example/' },
    ],
    ['a script for an address', { ...connection('x'), baseAddress: 'javascript:alert(1)' }],
    ['no revision', { ...connection('x'), revision: 0 }],
    ['an unknown placement', { ...connection('x'), dialect: { keyPlacement: 'cookie' } }],
    ['nothing in it', null],
  ])('are left out with %s', async (_, damaged) => {
    const place = createStore(crypto.randomUUID(), 'records');
    await set('connections', [damaged, connection('a')], place);
    expect(await createConnectionStore(place).read()).toEqual([connection('a')]);
  });

  it('are none when what lies there is no list', async () => {
    const place = createStore(crypto.randomUUID(), 'records');
    await set('connections', { length: 1 }, place);
    expect(await createConnectionStore(place).read()).toEqual([]);
  });
});
