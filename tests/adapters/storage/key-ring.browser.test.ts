import { clear, createStore } from 'idb-keyval';
import { beforeEach, describe, expect, test } from 'vitest';

import { createClockMemory } from '#adapters/storage/clock-memory';
import { createKeyRing } from '#adapters/storage/key-ring';
import { changeKey, putKey } from '#core/key-ring/ring';
import type { PinnedKey } from '#core/license/keys/pinned-key';

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
    expect(stored).toEqual({ ok: true, value: [key] });
    expect(await createKeyRing().read()).toEqual([key]);
  });

  test('tells other pages that it has changed', async () => {
    const [here, there] = [createKeyRing(), createKeyRing()];
    const told = new Promise<void>((done) => {
      there.watch(done);
    });
    await here.change((ring) => putKey(ring, key));
    await told;
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
});
