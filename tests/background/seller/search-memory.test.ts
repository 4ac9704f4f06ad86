import { expect, it } from 'vitest';

import { createSessionCache } from '#adapters/storage/session-cache';
import { rememberValues } from '#adapters/storage/storage-area';
import { createSearchMemory } from '#background/seller/search-memory';
import { defaultDialect } from '#core/connections/index';
import { fail } from '#core/result';
import { createMemoryArea } from '#tests/adapters/memory-area';

const connection = {
  id: 'one',
  name: 'One',
  baseAddress: 'https://market.example',
  revision: 1,
  dialect: defaultDialect,
};
const replies = new Map([['as typed', fail({ kind: 'refused', about: 'request', msg: '' })]]);

/** Creates the memory of a worker; `asked` lists the keys that it read from the browser. */
function createMemory(area: ReturnType<typeof createMemoryArea>, now: () => number) {
  const asked: unknown[] = [];
  const watched = {
    ...area,
    get: (keys: string | string[] | null) => {
      asked.push(keys);
      return area.get(keys);
    },
  };
  const session = createSessionCache(rememberValues(watched, () => true));
  return { asked, memory: createSearchMemory(session, now, () => Promise.resolve()) };
}

it('asks the browser once whether any search was interrupted, however many codes are checked', async () => {
  const { asked, memory } = createMemory(createMemoryArea(), () => 0);
  for (const code of ['a', 'b', 'c'])
    expect(await memory.read(connection, code)).toEqual(new Map());
  expect(asked).toHaveLength(1);
});

it('continues each interrupted search in the next life of the worker, until it has expired', async () => {
  const area = createMemoryArea();
  let now = 0;
  const before = createMemory(area, () => now).memory;
  const access = { connection, wasLocked: () => false };
  await before.store(access, 'a', replies);
  now = 300_000;
  await before.store(access, 'b', replies);
  await before.store(access, 'a', replies);
  const after = createMemory(area, () => now).memory;
  const found = async () => {
    const of = await Promise.all(['a', 'b', 'c'].map((code) => after.read(connection, code)));
    return of.map(({ size }) => size);
  };
  expect(await found()).toEqual([1, 1, 0]);
  now = 600_000;
  expect(await found()).toEqual([0, 1, 0]);
  now = 900_000;
  expect(await found()).toEqual([0, 0, 0]);
});
