import { createStore } from 'idb-keyval';
import { describe, expect, it } from 'vitest';

import { type SecretStore, createSecretStore } from '#adapters/secrets/secret-store';
import { createWrappingKeys } from '#adapters/secrets/wrapping-keys';
import type { SecretMode } from '#core/connections/index';
import { createMemoryArea } from '#tests/adapters/memory-area';
import { stopAt } from '#tests/adapters/secrets/stop-at';
import { deriveInOneRound } from '#tests/support/one-round';

const passphrase = 'seven grey herons';
const market = { connectionId: 'market', baseAddress: 'https://market.example/shop' };
const demo = { connectionId: 'demo', baseAddress: 'https://demo.example' };
const key = { market: 'canary-market-key', demo: 'canary-demo-key' };
const modes: readonly SecretMode[] = ['device', 'passphrase', 'session'];

/** Two kept keys in one mode, over this browser's real IndexedDB and WebCrypto. */
async function cached(mode: SecretMode = 'device') {
  const places = {
    local: createMemoryArea(),
    session: createMemoryArea(),
    wrappingKeys: createWrappingKeys(createStore(crypto.randomUUID(), 'wrapping')),
    now: Date.now,
  };
  const secrets = createSecretStore(places);
  await secrets.write(market, key.market);
  await secrets.write(demo, key.demo);
  await secrets.setMode({ mode, passphrase });
  return { places, secrets };
}

type Entries = Record<string, object | undefined>;

/** Changes the stored entries behind the store's back. */
async function changeEntries(
  { local }: Awaited<ReturnType<typeof cached>>['places'],
  change: (entries: Entries) => Entries,
): Promise<void> {
  const { secrets } = (await local.get('secrets')) as { secrets: { entries: Entries } };
  await local.set({ secrets: { ...secrets, entries: change(secrets.entries) } });
}

const valueOf = async (secrets: SecretStore, binding: typeof market) => {
  const read = await secrets.read(binding);
  return read.ok ? read.value : read.fault;
};

describe('the wrapping key of this device', () => {
  it('cannot be exported, and is still a key when it is read back', async () => {
    const wrappingKeys = createWrappingKeys(createStore(crypto.randomUUID(), 'wrapping'));
    const { places } = await cached();
    const record = JSON.parse(places.local.dump()) as [[string, string]];
    const { wrapping } = JSON.parse(record[0][1]) as { wrapping: { keyId: string } };
    const found = await places.wrappingKeys.find(wrapping.keyId);
    if (found === undefined) throw new Error('The key is there.');
    expect(found.extractable).toBe(false);
    await expect(crypto.subtle.exportKey('raw', found)).rejects.toThrow();
    expect(await wrappingKeys.find('none')).toBeUndefined();
  });
});

describe('a kept key', () => {
  it.each(modes)('comes back in mode %s, to a worker that was stopped as well', async (mode) => {
    const { places, secrets } = await cached(mode);
    expect(await valueOf(secrets, market)).toBe(key.market);
    expect(await valueOf(createSecretStore(places), demo)).toBe(key.demo);
    expect(await secrets.has(market)).toBe(true);
  });

  it.each(['device', 'passphrase'] as const)('is nowhere to be read in mode %s', async (mode) => {
    const { places } = await cached(mode);
    expect(places.local.dump() + places.session.dump()).not.toContain('canary');
  });

  const others = ['https://evil.example/shop', 'https://market.example/other'];
  it.each(modes.flatMap((mode) => others.map((address) => [mode, address] as const)))(
    'in mode %s is not there for %s',
    async (mode, baseAddress) => {
      const { secrets } = await cached(mode);
      const moved = { ...market, baseAddress };
      expect(await secrets.has(moved)).toBe(false);
      expect(await valueOf(secrets, moved)).toMatchObject({ kind: 'no-key' });
    },
  );

  it.each(['device', 'passphrase'] as const)(
    'in mode %s does not open for an address that was written over its own',
    async (mode) => {
      const { places, secrets } = await cached(mode);
      const moved = { ...market, baseAddress: 'https://market.example/other' };
      await changeEntries(places, (entries) => {
        const { baseAddress } = moved;
        return { ...entries, market: { ...entries['market'], baseAddress } };
      });
      expect(await valueOf(secrets, moved)).toEqual({ kind: 'no-key', reason: 'material-lost' });
    },
  );

  it.each(['device', 'passphrase'] as const)(
    'in mode %s opens at its own address alone while a move is stopped in the middle',
    async (mode) => {
      const { places, secrets } = await cached(mode);
      const moved = { ...market, baseAddress: 'https://market.example/other' };
      const staged = new Promise((done) => {
        void secrets.writeWith(moved, 'canary-moved-key', async () => {
          done(structuredClone(await places.local.get('secrets')));
          return { ok: false, fault: { kind: 'storage-full' } };
        });
      });
      await places.local.set((await staged) as Record<string, unknown>);
      const later = createSecretStore(places);
      expect(await valueOf(later, market)).toBe(key.market);
      expect(await valueOf(later, moved)).toBe('canary-moved-key');
      const third = { ...market, baseAddress: 'https://market.example/third' };
      expect(await later.has(third)).toBe(false);
      expect(await valueOf(later, third)).toMatchObject({ kind: 'no-key' });
    },
  );

  it('does not open in the place of another at the same address', async () => {
    const { places, secrets } = await cached();
    const second = { ...market, connectionId: 'second' };
    await secrets.write(second, 'canary-second-key');
    await changeEntries(places, ({ market: one, second: other, ...rest }) => ({
      ...rest,
      market: other,
      second: one,
    }));
    expect(await valueOf(secrets, market)).toEqual({ kind: 'no-key', reason: 'material-lost' });
    expect(await valueOf(secrets, second)).toEqual({ kind: 'no-key', reason: 'material-lost' });
  });

  it('goes with its connection, and the others stay', async () => {
    const { places, secrets } = await cached('session');
    await secrets.keepOnly(['demo']);
    expect(await valueOf(secrets, market)).toEqual({ kind: 'no-key', reason: 'never-entered' });
    expect(places.session.dump()).not.toContain(key.market);
    expect(await valueOf(secrets, demo)).toBe(key.demo);
  });

  it('is lost with IndexedDB, says so, and can be entered again', async () => {
    const { places, secrets } = await cached();
    await places.wrappingKeys.removeOthers(undefined);
    expect(await valueOf(secrets, market)).toEqual({ kind: 'no-key', reason: 'material-lost' });
    expect(await secrets.has(market)).toBe(false);
    await secrets.write(market, key.market);
    expect(await valueOf(secrets, market)).toBe(key.market);
    expect(await valueOf(secrets, demo)).toEqual({ kind: 'no-key', reason: 'material-lost' });
  });

  it('is asked for again when the record cannot be read, which is kept', async () => {
    const { places, secrets } = await cached();
    const { secrets: record } = (await places.local.get('secrets')) as {
      secrets: { wrapping: { keyId: string } };
    };
    const damaged = { ...record, entries: 'x' };
    await places.local.set({ secrets: damaged });
    expect(await valueOf(secrets, market)).toEqual({ kind: 'no-key', reason: 'never-entered' });
    await secrets.write(market, key.market);
    await secrets.keepOnly(['market']);
    expect((await secrets.unused()).unreadable).toMatchObject([{ value: damaged }]);
    // The wrapping key stays while the damaged record does: only it can decrypt that record.
    expect(await places.wrappingKeys.find(record.wrapping.keyId)).toBeInstanceOf(CryptoKey);
    await secrets.removeUnreadable(() => true);
    await secrets.keepOnly(['market']);
    expect(await places.wrappingKeys.find(record.wrapping.keyId)).toBeUndefined();
    expect(await valueOf(secrets, market)).toBe(key.market);
  });

  it('is left alone in a record of a newer version', async () => {
    const { places, secrets } = await cached();
    const newer = { secrets: { version: 99, of: 'a form we do not know' } };
    await places.local.set(newer);
    await expect(secrets.write(market, 'another')).rejects.toThrow('newer version');
    await expect(secrets.keepOnly([])).rejects.toThrow('newer version');
    expect(await places.local.get('secrets')).toEqual(newer);
  });
});

describe('a passphrase', () => {
  it('opens however its letters are composed', async () => {
    const { secrets } = await cached();
    await secrets.setMode({ mode: 'passphrase', passphrase: 'caf\u00e9 au lait 12' });
    await secrets.lock();
    expect(await secrets.unlock('cafe\u0301 au lait 12')).toMatchObject({ ok: true });
  });

  it('is stretched anew, with a salt of its own, each time it is chosen', async () => {
    const wrappings = [await cached('passphrase'), await cached('passphrase')].map(({ places }) => {
      const [[, value]] = JSON.parse(places.local.dump()) as [[string, string]];
      return (JSON.parse(value) as { wrapping: { salt: string; rounds: number } }).wrapping;
    });
    expect(wrappings[0]?.salt).not.toBe(wrappings[1]?.salt);
    for (const { rounds } of wrappings) expect(rounds).toBeGreaterThanOrEqual(600_000);
  });
});

describe('a change of mode', () => {
  deriveInOneRound();

  const changes = modes.flatMap((from) =>
    modes.filter((to) => to !== from).map((to) => [from, to] as const),
  );

  it.each(changes)('from %s to %s leaves nothing of the old', async (from, to) => {
    const { places, secrets } = await cached(from);
    expect(await secrets.setMode({ mode: to, passphrase })).toMatchObject({ ok: true });
    expect(await valueOf(secrets, market)).toBe(key.market);
    expect(places.session.dump().includes('canary')).toBe(to === 'session');
    expect(places.session.dump().includes('secret-unlocked')).toBe(to === 'passphrase');
  });

  it.each(changes)('from %s to %s loses nothing wherever it is stopped', async (from, to) => {
    for (let step = 1, stopped = true; stopped; step += 1) {
      const { places } = await cached(from);
      stopped = await stopAt(step, places, (secrets) => secrets.setMode({ mode: to, passphrase }));
      const secrets = createSecretStore(places);
      await secrets.keepOnly(['market', 'demo']);
      if ((await secrets.state()).locked) await secrets.unlock(passphrase);
      expect(await valueOf(secrets, market)).toBe(key.market);
      expect(await valueOf(secrets, demo)).toBe(key.demo);
    }
  });
});

describe('a key for the session', () => {
  it('stays with its address when a save was stopped half-way', async () => {
    const { places, secrets } = await cached('session');
    const moved = { ...market, baseAddress: 'https://market.example/other' };
    await changeEntries(places, (entries) => ({
      ...entries,
      market: { baseAddress: moved.baseAddress },
    }));
    await secrets.setMode({ mode: 'device' });
    expect(await valueOf(secrets, moved)).toMatchObject({ kind: 'no-key' });
    expect(await valueOf(secrets, demo)).toBe(key.demo);
  });
});

describe('a change of the passphrase', () => {
  deriveInOneRound();

  it('loses nothing wherever it is stopped, and never mixes the two', async () => {
    const newPassphrase = 'eight grey herons';
    const change = { mode: 'passphrase', passphrase, newPassphrase } as const;
    for (let step = 1, stopped = true; stopped; step += 1) {
      const { places } = await cached('passphrase');
      stopped = await stopAt(step, places, (secrets) => secrets.setMode(change));
      const secrets = createSecretStore(places);
      if ((await secrets.state()).locked && !(await secrets.unlock(passphrase)).ok)
        await secrets.unlock(newPassphrase);
      expect(await valueOf(secrets, market)).toBe(key.market);
    }
  });
});
