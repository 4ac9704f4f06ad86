import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import {
  type CachedReply,
  type SessionOwner,
  createSessionCache,
  readSessionKey,
  sessionKey,
} from '#adapters/storage/session-cache';
import { createMemoryArea } from '#tests/adapters/memory-area';

const reply: CachedReply = {
  answer: { kind: 'not-found', msg: '', key: 'good', proven: true },
  checkedAt: 1,
  until: 2,
};

const owner: fc.Arbitrary<SessionOwner> = fc.record(
  { id: fc.string({ unit: 'binary' }), revision: fc.nat(), code: fc.string({ unit: 'binary' }) },
  { requiredKeys: ['id', 'revision'] },
);

describe('a value that a lock overtakes', () => {
  const whose = { id: 'a', revision: 1, code: 'b' };

  it('is not written, and is removed where the lock came while it was', async () => {
    const area = createMemoryArea();
    const cache = createSessionCache(area);
    await cache.write('reply', whose, reply, () => true);
    expect(await cache.read('reply', whose)).toBeUndefined();
    const set = vi.spyOn(area, 'set');
    await cache.write('reply', whose, reply, () => true);
    expect(set).not.toHaveBeenCalled();
    await cache.write('reply', whose, reply, () => set.mock.calls.length > 0);
    expect(set).toHaveBeenCalledOnce();
    expect(await cache.read('reply', whose)).toBeUndefined();
  });
});

describe('a key in session storage', () => {
  it('is the same for the same owner and another for any other', () => {
    fc.assert(
      fc.property(fc.string(), owner, fc.string(), owner, (kind, one, otherKind, other) => {
        const partsOf = (of: string, { id, revision, code }: SessionOwner) => [
          of,
          id,
          revision,
          code,
        ];
        const isSame =
          JSON.stringify(partsOf(kind, one)) === JSON.stringify(partsOf(otherKind, other));
        expect(sessionKey(kind, one) === sessionKey(otherKind, other)).toBe(isSame);
      }),
    );
  });

  it('tells parts apart whatever stands in them', () => {
    const keys = [
      sessionKey('reply', { id: 'a', revision: 1, code: 'b' }),
      sessionKey('reply', { id: 'a', revision: 11, code: 'b' }),
      sessionKey('reply', { id: 'a,1', revision: 1, code: 'b' }),
      sessionKey('reply', { id: 'a","1', revision: 1, code: 'b' }),
      sessionKey('reply', { id: 'a', revision: 1, code: '1,b' }),
      sessionKey('reply', { id: 'a', revision: 1 }),
      sessionKey('reply","a', { id: 'a', revision: 1 }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('gives its kind and connection back', () => {
    fc.assert(
      fc.property(fc.string(), owner, (kind, whose) => {
        expect(readSessionKey(sessionKey(kind, whose))).toEqual({ kind, connectionId: whose.id });
      }),
    );
  });

  it('is not what others keep there', () => {
    expect(readSessionKey('secret-unlocked')).toBeUndefined();
  });
});

const never = (): boolean => false;

describe('the session cache', () => {
  it('finds what it was given, under that revision and code alone', async () => {
    const store = createSessionCache(createMemoryArea());
    await store.write('reply', { id: 'a', revision: 1, code: 'code' }, reply, never);
    expect(await store.read('reply', { id: 'a', revision: 1, code: 'code' })).toEqual(reply);
    expect(await store.read('reply', { id: 'a', revision: 2, code: 'code' })).toBeUndefined();
    expect(await store.read('reply', { id: 'a', revision: 1, code: 'cod' })).toBeUndefined();
    expect(await store.read('account', { id: 'a', revision: 1 })).toBeUndefined();
  });

  it('forgets one connection, or all, and nothing of others who keep things there', async () => {
    const area = createMemoryArea();
    await area.set({ 'secret-unlocked': 'x' });
    const store = createSessionCache(area);
    await store.write('reply', { id: 'a', revision: 1, code: 'code' }, reply, never);
    await store.write('account', { id: 'a', revision: 2 }, 7, never);
    await store.write('account', { id: 'ab', revision: 1 }, 8, never);
    await store.forget('a');
    expect(await store.read('account', { id: 'a', revision: 2 })).toBeUndefined();
    expect(await store.read('account', { id: 'ab', revision: 1 })).toBe(8);
    await store.forget();
    expect(area.dump()).toBe('[["secret-unlocked","\\"x\\""]]');
  });

  it('keeps what is known of a key, unless the key goes too', async () => {
    const store = createSessionCache(createMemoryArea());
    const whose = { id: 'a', revision: 1 };
    await store.write('account', whose, 7, never);
    await store.write('reply', { ...whose, code: 'code' }, reply, never);
    await store.forget('a', true);
    await store.forget(undefined, true);
    expect(await store.read('reply', { ...whose, code: 'code' })).toBeUndefined();
    expect(await store.read('account', whose)).toBe(7);
    await store.forget('a');
    expect(await store.read('account', whose)).toBeUndefined();
  });

  it('prunes what is named stale, of that kind alone', async () => {
    const store = createSessionCache(createMemoryArea());
    await store.write('account', { id: 'a', revision: 1 }, 1, never);
    await store.write('account', { id: 'b', revision: 1 }, 2, never);
    await store.write('reply', { id: 'a', revision: 1, code: 'code' }, reply, never);
    await store.prune('account', (value) => value < 2);
    expect(await store.read('account', { id: 'a', revision: 1 })).toBeUndefined();
    expect(await store.read('account', { id: 'b', revision: 1 })).toBe(2);
    expect(await store.read('reply', { id: 'a', revision: 1, code: 'code' })).toEqual(reply);
  });

  it('says when there is no room', async () => {
    const area = createMemoryArea();
    area.limitTo(10);
    const store = createSessionCache(area);
    expect(await store.write('reply', { id: 'a', revision: 1, code: 'code' }, reply, never)).toBe(
      false,
    );
  });

  it('writes nothing that was forgotten before', async () => {
    const area = createMemoryArea();
    const set = vi.spyOn(area, 'set');
    const store = createSessionCache(area);
    expect(await store.write('account', { id: 'a', revision: 1 }, 1, () => true)).toBe(true);
    expect(set).not.toHaveBeenCalled();
  });

  it('leaves nothing that was forgotten while it was written', async () => {
    const area = createMemoryArea();
    let isForgotten = false;
    const set = area.set.bind(area);
    vi.spyOn(area, 'set').mockImplementation(async (items) => {
      isForgotten = true;
      await set(items);
    });
    const store = createSessionCache(area);
    expect(await store.write('account', { id: 'a', revision: 1 }, 1, () => isForgotten)).toBe(true);
    expect(area.dump()).toBe('[]');
  });
});
