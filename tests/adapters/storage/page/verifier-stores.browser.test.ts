import { clear, createStore, get, set } from 'idb-keyval';
import { beforeEach, describe, expect, test } from 'vitest';

import { createClockMemory, createKeyRing } from '#adapters/storage/page/verifier-stores';
import { createTables } from '#adapters/storage/tables';
import { changeKey, putKey } from '#core/key-ring/index';
import type { PinnedKey } from '#core/keys/index';
import { succeed } from '#core/result';

const key: PinnedKey = {
  id: 'one',
  label: 'Authority',
  raw: '1'.repeat(64),
  fingerprint: '2'.repeat(64),
  revoked: false,
  kind: 'live',
};

beforeEach(async () => {
  await createKeyRing().change(() => []);
  await clear(createStore('counterfoil-clock', 'clock'));
});

describe('the key ring', () => {
  test('is what another page left there', async () => {
    const stored = await createKeyRing().change((ring) => putKey(ring, key));
    expect(stored).toEqual(succeed([key]));
    expect(await createKeyRing().read()).toEqual([key]);
  });

  test('tells other pages that it has changed', async () => {
    const [here, there] = [createKeyRing(), createKeyRing()];
    const notified = new Promise<void>((done) => {
      there.watch(done);
    });
    await here.change((ring) => putKey(ring, key));
    await notified;
    expect(await there.read()).toEqual([key]);
  });

  test('loses no change when two pages change it at once', async () => {
    const other = { ...key, id: 'two', raw: '3'.repeat(64) };
    const [here, there] = [createKeyRing(), createKeyRing()];
    await Promise.all([
      here.change((ring) => putKey(ring, key)),
      there.change((ring) => putKey(ring, other)),
    ]);
    await here.change((ring) => changeKey(ring, 'one', { revoked: true }));
    const cached = await there.read();
    expect(cached).toHaveLength(2);
    expect(cached.find(({ id }) => id === 'one')?.revoked).toBe(true);
  });
});

describe('a stored key that this version cannot read', () => {
  const stated = { ...key, version: 1 };
  const newer = { ...key, id: 'n', version: 99 };
  const unreadable = { ...key, id: 'u', raw: 'short' };

  async function opened(...records: unknown[]) {
    const name = crypto.randomUUID();
    const tables = createTables(name);
    await tables.transact(['lists'], 'readwrite', (transaction) =>
      transaction.objectStore('lists').put(records, 'pinned-keys'),
    );
    const stored = () =>
      tables.transact(['lists'], 'readonly', (transaction) =>
        transaction.objectStore('lists').get('pinned-keys'),
      );
    return { name, ring: createKeyRing(tables), stored };
  }

  test('stays where it lies, and is told of until it is removed', async () => {
    const { ring, stored } = await opened(unreadable, stated);
    expect(await ring.read()).toEqual([key]);
    expect(await ring.unused()).toEqual({ unreadable: 1, newer: false });
    expect(await stored()).toEqual([unreadable, stated]);
    await ring.removeUnreadable();
    expect(await ring.unused()).toEqual({ unreadable: 0, newer: false });
    expect(await ring.read()).toEqual([key]);
  });

  test('is told to other pages when it is removed', async () => {
    const { ring } = await opened(unreadable);
    const notified = new Promise<void>((done) => {
      createKeyRing().watch(done);
    });
    await ring.removeUnreadable();
    await notified;
  });

  test('of a newer version stays through every change, and is told of', async () => {
    const { ring, stored } = await opened(newer);
    await ring.change((keys) => putKey(keys, key));
    await ring.change(() => []);
    await ring.removeUnreadable();
    expect(await stored()).toEqual([newer]);
    expect(await ring.read()).toEqual([]);
    expect(await ring.unused()).toEqual({ unreadable: 0, newer: true });
  });

  test('as a newer version changed the whole database, is told of', async () => {
    const { name, ring } = await opened(stated);
    await new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 99);
      request.onsuccess = () => {
        request.result.close();
        resolve(undefined);
      };
      request.onerror = reject;
    });
    expect(await ring.read()).toEqual([]);
    expect(await ring.unused()).toEqual({ unreadable: 0, newer: true });
  });
});

describe('the latest moment seen', () => {
  test('never goes back by itself', async () => {
    const memory = createClockMemory();
    expect(await memory.note(1000)).toBe(1000);
    expect(await memory.note(400)).toBe(1000);
    expect(await createClockMemory().note(500)).toBe(1000);
  });

  test('is the present again after the agent’s own word', async () => {
    const memory = createClockMemory();
    await memory.note(9000);
    await memory.reset(500);
    expect(await memory.note(600)).toBe(600);
  });

  test('is kept beside the present when it cannot be read', async () => {
    const stored = createStore('counterfoil-clock', 'clock');
    await set('latest-seen', 'yesterday', stored);
    const memory = createClockMemory();
    expect(await memory.note(1000)).toBe(1000);
    await memory.reset(900);
    expect(await memory.note(800)).toBe(900);
    expect(await get('latest-seen-unreadable', stored)).toBe('yesterday');
  });

  test('is left alone in the form of a newer version', async () => {
    const stored = createStore('counterfoil-clock', 'clock');
    const newer = { version: 99, at: 'a form of another kind' };
    await set('latest-seen', newer, stored);
    expect(await createClockMemory().note(1000)).toBe(1000);
    await createClockMemory().reset(900);
    expect(await get('latest-seen', stored)).toEqual(newer);
  });
});
