import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { useUndoOffer } from '#stores/ui/undo-offer';
import { useVerifierKeys } from '#stores/verifier/keys';
import { createTestAuthority } from '#tests/support/license-files';
import {
  createInProcessVerify,
  createMemoryKeyRing,
  pinnedKey,
  settled,
  withVerifierPorts,
} from '#tests/stores/verifier/verifier-ports';

const first = createTestAuthority().publicKey;
const second = createTestAuthority().publicKey;

function opened(...present: readonly string[]) {
  const verify = createInProcessVerify();
  const ring = createMemoryKeyRing(present.map((pem) => pinnedKey(pem)));
  const pinia = withVerifierPorts({ verify, ring });
  return { keys: useVerifierKeys(pinia), undo: useUndoOffer(pinia), verify, ring };
}

const labels = (keys: ReturnType<typeof useVerifierKeys>): string[] =>
  keys.list?.map(({ label }) => label) ?? [];

describe('a key', () => {
  test('is pinned only when its fingerprint was confirmed', async () => {
    const { keys, ring } = opened();
    expect(await keys.propose(first)).toBe(true);
    expect(keys.draft?.known).toBe(false);
    expect(await ring.read()).toEqual([]);
    expect(await keys.confirm({ label: 'Ours' })).toBe(true);
    expect(labels(keys)).toEqual(['Ours']);
    expect(await ring.read()).toEqual([pinnedKey(first, { label: 'Ours', kind: 'unstated' })]);
    expect(keys.draft).toBeUndefined();
  });

  test('that is discarded is not pinned', async () => {
    const { keys, ring } = opened();
    await keys.propose(first);
    keys.discard();
    expect(keys.draft).toBeUndefined();
    expect(await keys.confirm({ label: 'Ours' })).toBe(false);
    expect(await ring.read()).toEqual([]);
  });

  test('that is pinned already is recognised, and confirming changes it', async () => {
    const { keys } = opened(first);
    await keys.load();
    await keys.propose(first);
    expect(keys.draft?.known).toBe(true);
    await keys.confirm({ label: 'Renamed' });
    expect(labels(keys)).toEqual(['Renamed']);
  });

  test('that cannot be read reports a fault and leaves the pinned keys as they are', async () => {
    const { keys } = opened(first);
    await keys.load();
    expect(await keys.propose('not a key')).toBe(false);
    expect(keys.fault).toEqual({ kind: 'unreadable' });
    expect(keys.draft).toBeUndefined();
    expect(keys.list).toHaveLength(1);
  });

  test('is not taken for read when the worker was lost', async () => {
    const { keys, verify } = opened();
    verify.lose(true);
    expect(await keys.propose(first)).toBe(false);
    expect(keys.fault).toEqual({ kind: 'verifier-lost' });
  });

  test('that cannot be stored reports a fault and stays to be confirmed', async () => {
    const { keys, ring } = opened();
    ring.full = true;
    await keys.propose(first);
    expect(await keys.confirm({ label: 'Ours' })).toBe(false);
    expect(keys.fault).toEqual({ kind: 'not-stored' });
    expect(keys.draft).toEqual({
      key: pinnedKey(first, { label: '', kind: 'unstated' }),
      known: false,
    });
    expect(await ring.read()).toEqual([]);
  });
});

describe('a file of keys', () => {
  test('goes from one browser to another, one confirmation each', async () => {
    const { keys: here } = opened(first, second);
    await here.load();
    const file = JSON.stringify(here.exported());

    const { keys: there, ring } = opened();
    expect(await there.propose(new TextEncoder().encode(file))).toBe(true);
    expect(there.drafts).toHaveLength(2);
    expect(await ring.read()).toEqual([]);
    await there.confirm({ label: 'One' });
    await there.confirm({ label: 'Two' });
    expect(labels(there)).toEqual(['One', 'Two']);
  });

  test('counts the keys in it that are not fit', async () => {
    const { keys: here } = opened(first, second);
    await here.load();
    const { keys: list, ...file } = here.exported();
    const spoiled = list.map((key, at) => (at === 0 ? { ...key, raw: '01'.padEnd(64, '0') } : key));
    const { keys } = opened();
    await keys.propose(JSON.stringify({ ...file, keys: spoiled }));
    expect([keys.drafts.length, keys.refused]).toEqual([1, 1]);
  });
});

describe('what was done', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a removal can be undone for half a minute, and the key is as it was', async () => {
    const { keys, undo } = opened(first, second);
    await keys.load();
    const before = keys.list;
    const id = before?.[0]?.id ?? '';
    await keys.remove(id);
    expect(keys.list).toHaveLength(1);
    expect(await undo.accept()).toBe(id);
    expect(new Set(keys.list)).toEqual(new Set(before));
    await keys.remove(id);
    vi.advanceTimersByTime(30_000);
    expect(undo.offer).toBeUndefined();
    await undo.accept();
    expect(keys.list).toHaveLength(1);
  });

  test('a revocation can be undone', async () => {
    const { keys, undo } = opened(first);
    await keys.load();
    const id = keys.list?.[0]?.id ?? '';
    await keys.revoke(id);
    expect(keys.list?.[0]?.revoked).toBe(true);
    expect(undo.offer).toMatchObject({ list: 'revoked-keys', id });
    await undo.accept();
    expect(keys.list?.[0]?.revoked).toBe(false);
  });
});

test('undoing a revocation keeps what another window changed of the key meanwhile', async () => {
  const { keys, undo, ring } = opened(first);
  await keys.load();
  await keys.revoke(keys.list?.[0]?.id ?? '');
  ring.changeElsewhere([pinnedKey(first, { revoked: true, products: ['orbit-crm'] })]);
  await undo.accept();
  expect(await ring.read()).toEqual([pinnedKey(first, { products: ['orbit-crm'] })]);
});

describe('stale answers', () => {
  test('a key that is read slowly does not replace the one proposed after it', async () => {
    const { keys, verify } = opened();
    verify.hold();
    const older = keys.propose(first);
    const newer = keys.propose(second);
    await verify.release(1);
    await verify.release(0);
    expect(await Promise.all([older, newer])).toEqual([false, true]);
    expect(keys.drafts.map(({ key }) => key.raw)).toEqual([pinnedKey(second).raw]);
  });

  test('the ring as it was read before a change does not replace the changed one', async () => {
    const { keys, ring } = opened(first);
    await keys.load();
    const slow = Promise.withResolvers<undefined>();
    const before = await ring.read();
    vi.spyOn(ring, 'read').mockImplementationOnce(() => slow.promise.then(() => before));
    const reading = keys.load();
    await keys.revoke(before[0]?.id ?? '');
    slow.resolve(undefined);
    await reading;
    expect(keys.list?.[0]?.revoked).toBe(true);
  });
});

describe('stored keys that cannot be used', () => {
  test('are told of, and dismissed when the agent says so', async () => {
    const { keys, ring } = opened(first);
    ring.left = { unreadable: 2, newer: true };
    await keys.load();
    expect(keys.unused).toEqual({ unreadable: 2, newer: true });
    await keys.removeUnreadable();
    expect(keys.unused).toEqual({ unreadable: 0, newer: true });
  });
});

test('a key that another window revokes is revoked here', async () => {
  const { keys, ring } = opened(first);
  await keys.load();
  ring.changeElsewhere([pinnedKey(first, { revoked: true })]);
  await settled();
  expect(keys.list?.[0]?.revoked).toBe(true);
});
