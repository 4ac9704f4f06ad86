import { describe, expect, test } from 'vitest';

import { createSessionCache } from '#adapters/storage/session-cache';
import { createReplyCache } from '#background/check/reply-cache';
import { defaultDialect } from '#core/connections/index';
import { createMemoryArea } from '#tests/adapters/memory-area';

const connection = {
  id: 'one',
  name: 'One',
  baseAddress: 'https://market.example',
  revision: 1,
  dialect: defaultDialect,
};
const wasLocked = () => false;
const code = (at: number): string => `5eed0000-0000-4000-8000-${String(at).padStart(12, '0')}`;
const missing = (key: 'good' | 'unknown') => ({
  answer: { kind: 'not-found', msg: 'No', key, proven: true } as const,
  checkedAt: 0,
});
const bought = (checkedAt = 0) => ({
  answer: { kind: 'purchase', purchase: { purchaseCode: 'bought' } } as never,
  checkedAt,
});

function createCache() {
  const area = createMemoryArea();
  let moment = 0;
  const alarms: number[] = [];
  const store = createSessionCache(area);
  const ensureAlarm = (at: number) => {
    alarms.push(at);
    return Promise.resolve();
  };
  return {
    area,
    alarms,
    cache: createReplyCache(store, () => moment, ensureAlarm),
    at: (next: number) => {
      moment = next;
    },
  };
}

describe('a kept reply', () => {
  test.each([
    ['a purchase', bought(), 300_000],
    ['a not-found', missing('good'), 30_000],
  ])('of %s is found until its time is over', async (_, reply, until) => {
    const { cache, alarms, at } = createCache();
    await cache.store(connection, code(1), reply, wasLocked);
    expect(alarms).toEqual([until]);
    at(until - 1);
    expect(await cache.find(connection, code(1))).toEqual({ ...reply, until });
    at(until);
    expect(await cache.find(connection, code(1))).toBeUndefined();
  });

  test('of a clock that was turned back is none, unless it was corrected by less than a minute', async () => {
    const { cache, at } = createCache();
    await cache.store(connection, code(1), bought(90_000), wasLocked);
    at(60_000);
    expect(await cache.find(connection, code(1))).toBeDefined();
    at(30_000);
    expect(await cache.find(connection, code(1))).toBeUndefined();
  });

  test('of a not-found that a wrong key may have caused is none', async () => {
    const { cache, area, alarms } = createCache();
    await cache.store(connection, code(1), missing('unknown'), wasLocked);
    expect(area.dump()).toBe('[]');
    expect(alarms).toEqual([]);
  });

  test('takes the place of the others where there is no room', async () => {
    const { cache, area } = createCache();
    for (const one of [1, 2]) await cache.store(connection, code(one), bought(), wasLocked);
    area.limitTo(area.dump().length);
    await cache.store(connection, code(3), bought(), wasLocked);
    expect(await cache.find(connection, code(3))).toBeDefined();
    expect(await cache.find(connection, code(1))).toBeUndefined();
    await cache.store(connection, code(4), bought(), wasLocked);
    expect(await cache.find(connection, code(3))).toBeDefined();
  });
});

describe('removing', () => {
  test('takes what is over, and asks to be called for the next that will be', async () => {
    const { cache, area, alarms, at } = createCache();
    await cache.store(connection, code(1), missing('good'), wasLocked);
    await cache.store(connection, code(2), bought(1000), wasLocked);
    await cache.store(connection, code(3), bought(), wasLocked);
    alarms.length = 0;
    at(30_000);
    await cache.prune();
    expect(area.dump()).not.toContain(code(1));
    expect(area.dump()).toContain(code(2));
    expect(alarms).toEqual([300_000]);
  });

  test('of the last asks for nothing more', async () => {
    const { cache, alarms, at } = createCache();
    await cache.store(connection, code(1), bought(), wasLocked);
    alarms.length = 0;
    at(300_000);
    await cache.prune();
    expect(alarms).toEqual([]);
  });
});
