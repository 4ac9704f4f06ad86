import { describe, expect, it } from 'vitest';

import { type StoredConnection, defaultDialect } from '#core/connections/index';
import { createConnectionStore } from '#adapters/storage/worker/connection-store';
import { type Tables, createTables } from '#adapters/storage/tables';

const connection = (id: string): StoredConnection => ({
  id,
  name: `Shop ${id}`,
  baseAddress: `https://${id}.example/shop`,
  revision: 1,
  dialect: defaultDialect,
});

async function put(tables: Tables, value: unknown): Promise<void> {
  await tables.transact(['lists'], 'readwrite', (transaction) =>
    transaction.objectStore('lists').put(value, 'connections'),
  );
}

const stored = (tables: Tables): Promise<unknown> =>
  tables.transact(['lists'], 'readonly', (transaction) =>
    transaction.objectStore('lists').get('connections'),
  );

describe('stored connections', () => {
  it('come back in their order', async () => {
    const tables = createTables(crypto.randomUUID());
    const store = createConnectionStore(tables);
    expect(await store.read()).toEqual([]);
    await store.change(() => [connection('b'), { ...connection('a'), deletedUntil: 7 }]);
    expect(await createConnectionStore(tables).read()).toEqual([
      connection('b'),
      { ...connection('a'), deletedUntil: 7 },
    ]);
  });

  it('say their version', async () => {
    const tables = createTables(crypto.randomUUID());
    await createConnectionStore(tables).change(() => [connection('a')]);
    expect(await stored(tables)).toEqual([{ ...connection('a'), version: 1 }]);
  });

  it('lose no change to another that is made at the same time', async () => {
    const store = createConnectionStore(createTables(crypto.randomUUID()));
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) => store.change((all) => [...all, connection(id)])),
    );
    expect((await store.read()).map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are whole or not written: an edit that throws changes nothing', async () => {
    const store = createConnectionStore(createTables(crypto.randomUUID()));
    await store.change(() => [connection('a')]);
    const failing = store.change(() => {
      throw new Error('A mistake.');
    });
    await expect(failing).rejects.toThrow('A mistake.');
    expect(await store.read()).toEqual([connection('a')]);
  });
});

describe('a connection that cannot be read', () => {
  it.each([
    [
      'an address over the open net',
      { ...connection('x'), baseAddress: 'http://x.example' },
      'baseAddress',
    ],
    [
      'an address that was not normalised',
      { ...connection('x'), baseAddress: 'https://x.example/' },
      'baseAddress',
    ],
    [
      'a script for an address',
      { ...connection('x'), baseAddress: 'javascript:alert(1)' },
      'baseAddress',
    ],
    ['no revision', { ...connection('x'), revision: 0 }, 'revision'],
    [
      'an unknown member of its dialect',
      { ...connection('x'), dialect: { ...defaultDialect, tint: 'blue' } },
      'dialect.tint',
    ],
    [
      'an unknown placement',
      { ...connection('x'), dialect: { ...defaultDialect, keyPlacement: 'cookie' } },
      'dialect.keyPlacement',
    ],
    ['nothing in it', null, '$'],
    ['no version that is one', { ...connection('x'), version: '1' }, 'version'],
  ])('for %s, stays where it lies, unseen', async (_, damaged, path) => {
    const tables = createTables(crypto.randomUUID());
    await put(tables, [damaged, { ...connection('a'), version: 1 }]);
    const store = createConnectionStore(tables);
    expect(await store.read()).toEqual([connection('a')]);
    await store.change((all) => [...all, connection('b')]);
    expect(await store.read()).toEqual([connection('a'), connection('b')]);
    expect(await stored(tables)).toMatchObject([damaged, { id: 'a' }, { id: 'b' }]);
    const unreadable = [{ path, value: damaged }];
    expect(await store.unused()).toEqual({ unreadable, newer: false });
  });
});

describe('a connection of a newer version', () => {
  it('keeps its place and its form through every change', async () => {
    const tables = createTables(crypto.randomUUID());
    const newer = { version: 9, id: 'n', of: 'a form we do not know' };
    const [first, last] = ['a', 'b'].map((id) => ({ ...connection(id), version: 1 }));
    await put(tables, [first, newer, last]);
    const store = createConnectionStore(tables);
    expect(await store.read()).toEqual([connection('a'), connection('b')]);
    await store.change((all) => all.map((one) => ({ ...one, name: 'New' })));
    expect(await stored(tables)).toEqual([
      { ...connection('a'), name: 'New', version: 1 },
      newer,
      { ...connection('b'), name: 'New', version: 1 },
    ]);
    expect(await store.unused()).toEqual({ unreadable: [], newer: true });
  });
});
