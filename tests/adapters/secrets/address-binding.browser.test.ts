import { createStore } from 'idb-keyval';
import { beforeEach, describe, expect, it } from 'vitest';

import { open, seal, createWrappingKeys } from '#adapters/secrets/wrapping';
import { createSecretStore } from '#adapters/secrets/secret-store';
import {
  createConnectionStore,
  readBaseAddresses,
} from '#adapters/storage/worker/connection-store';
import { type Tables, createTables } from '#adapters/storage/tables';
import { createMemoryArea } from '#tests/adapters/memory-area';
import { stopAt } from '#tests/adapters/secrets/stop-at';
import extensionStorage from '../../fixtures/stored-by-0.2.0/extension-storage.json' with { type: 'json' };
import { writeOldStorage } from '#tests/fixtures/stored-by-0.2.0/write';

const passphrase = 'seven grey herons';
const market = {
  connectionId: 'c0a8f1a2-0000-4000-8000-000000000001',
  baseAddress: 'https://market.example/shop',
};
const demo = {
  connectionId: 'c0a8f1a2-0000-4000-8000-000000000002',
  baseAddress: 'https://demo.example',
};
const marketKey = { ok: true, value: 'canary-market-key' };
const demoKey = { ok: true, value: 'canary-demo-key' };

let name: string;
let tables: Tables;
beforeEach(async () => {
  name = crypto.randomUUID();
  await writeOldStorage(name);
  tables = createTables(name);
});

/** The places of a browser in which an earlier release stored its keys and connections. */
async function oldPlaces(mode: keyof typeof extensionStorage.secrets) {
  const local = createMemoryArea();
  await local.set({ secrets: extensionStorage.secrets[mode] });
  const connections = createConnectionStore(tables);
  return {
    local,
    session: createMemoryArea(),
    now: Date.now,
    wrappingKeys: createWrappingKeys(createStore(`${name}-keys`, 'wrapping')),
    baseAddresses: () => readBaseAddresses(connections),
  };
}

type OldPlaces = Awaited<ReturnType<typeof oldPlaces>>;
interface StoredRecord {
  readonly version: number;
  readonly entries: Record<string, { boundTo: object; sealed?: { iv: string; data: string } }>;
}

async function storedIn({ local }: OldPlaces): Promise<StoredRecord> {
  return (await local.get('secrets'))['secrets'] as StoredRecord;
}

const boundIn = async (places: OldPlaces) =>
  Object.values((await storedIn(places)).entries).map(({ boundTo }) => boundTo);
const addresses = [{ baseAddress: market.baseAddress }, { baseAddress: demo.baseAddress }];
const origins = [{ origin: 'https://market.example' }, { origin: 'https://demo.example' }];

const ids = [market.connectionId, demo.connectionId];
/** Does what the worker does when the browser starts. */
const tidy = (places: OldPlaces): Promise<void> => createSecretStore(places).keepOnly(ids);

async function deviceKeyOf(places: OldPlaces): Promise<CryptoKey> {
  const key = await places.wrappingKeys.find(extensionStorage.secrets.device.wrapping.keyId);
  if (key === undefined) throw new Error('The key is there.');
  return key;
}

describe('a key that was bound to an origin', () => {
  it('on this device opens once, and is sealed anew for the whole address', async () => {
    const places = await oldPlaces('device');
    expect(await createSecretStore(places).read(market)).toEqual(marketKey);
    expect(await storedIn(places)).toEqual(extensionStorage.secrets.device);
    await tidy(places);
    expect(await boundIn(places)).toEqual(addresses);
    const { version, entries } = await storedIn(places);
    expect(version).toBe(3);
    const sealed = entries[market.connectionId]?.sealed ?? { iv: '', data: '' };
    const key = await deviceKeyOf(places);
    expect(await open(key, market, sealed)).toBe(marketKey.value);
    const { connectionId } = market;
    const origin = 'https://market.example';
    expect(await open(key, { connectionId, origin }, sealed)).toBeUndefined();
    expect(await createSecretStore(places).read(demo)).toEqual(demoKey);
  });

  it('under a passphrase stays as it is while locked, and is sealed anew at unlock', async () => {
    const places = await oldPlaces('passphrase');
    const secrets = createSecretStore(places);
    expect(await secrets.has(market)).toBe(true);
    expect(await secrets.read(market)).toEqual({ ok: false, fault: { kind: 'locked' } });
    expect(await storedIn(places)).toEqual(extensionStorage.secrets.passphrase);
    expect(await secrets.unlock('not the passphrase')).toMatchObject({ ok: false });
    expect(await storedIn(places)).toEqual(extensionStorage.secrets.passphrase);
    expect(await secrets.unlock(passphrase)).toMatchObject({ ok: true });
    expect(await boundIn(places)).toEqual(addresses);
    expect(await secrets.read(market)).toEqual(marketKey);
    expect(await secrets.read(demo)).toEqual(demoKey);
  });

  it('under a passphrase is sealed anew when the mode changes while it is locked', async () => {
    const places = await oldPlaces('passphrase');
    const secrets = createSecretStore(places);
    expect(await secrets.setMode({ mode: 'device', passphrase })).toMatchObject({ ok: true });
    expect(await boundIn(places)).toEqual(addresses);
    expect(await secrets.read(market)).toEqual(marketKey);
  });

  it('for the session is asked for, at its address', async () => {
    const places = await oldPlaces('session');
    const secrets = createSecretStore(places);
    expect(await secrets.has(market)).toBe(false);
    await tidy(places);
    expect(await boundIn(places)).toEqual(addresses);
  });

  it('never opens for another path of that origin', async () => {
    const other = { ...market, baseAddress: 'https://market.example/other' };
    const secrets = createSecretStore(await oldPlaces('device'));
    expect(await secrets.read(other)).toMatchObject({ ok: false });
    expect(await secrets.has(other)).toBe(false);
    expect(await secrets.read(market)).toEqual(marketKey);
  });

  it('waits for a connection that cannot be read yet', async () => {
    const places = await oldPlaces('device');
    const some = {
      ...places,
      baseAddresses: () => Promise.resolve(new Map([[demo.connectionId, demo.baseAddress]])),
    };
    expect(await createSecretStore(some).read(demo)).toEqual(demoKey);
    await tidy(some);
    expect(await boundIn(places)).toEqual([origins[0], addresses[1]]);
    expect(await createSecretStore(places).read(market)).toEqual(marketKey);
    await tidy(places);
    expect(await boundIn(places)).toEqual(addresses);
    expect(await createSecretStore(places).read(demo)).toEqual(demoKey);
  });

  it('goes with a change of mode before its connection can be read', async () => {
    const places = await oldPlaces('device');
    const none = { ...places, baseAddresses: () => Promise.resolve(new Map<string, string>()) };
    await createSecretStore(none).setMode({ mode: 'passphrase', passphrase });
    expect(await boundIn(places)).toEqual(origins);
    expect(await createSecretStore(places).read(market)).toEqual(marketKey);
    await tidy(places);
    expect(await boundIn(places)).toEqual(addresses);
  });

  it('opens on a full disk, and is sealed anew when there is room', async () => {
    const places = await oldPlaces('device');
    places.local.limitTo(10);
    expect(await createSecretStore(places).read(market)).toEqual(marketKey);
    await tidy(places);
    expect(await storedIn(places)).toEqual(extensionStorage.secrets.device);
    places.local.limitTo(Number.POSITIVE_INFINITY);
    await tidy(places);
    expect(await boundIn(places)).toEqual(addresses);
  });

  it('that cannot be opened stays as it is, and a new one takes its place', async () => {
    const places = await oldPlaces('device');
    const { entries, ...rest } = extensionStorage.secrets.device;
    const { [market.connectionId as keyof typeof entries]: whole } = entries;
    const damaged = { ...whole, sealed: { ...whole.sealed, data: whole.sealed.iv } };
    await places.local.set({
      secrets: { ...rest, entries: { ...entries, [market.connectionId]: damaged } },
    });
    const secrets = createSecretStore(places);
    expect(await secrets.read(market)).toMatchObject({ fault: { because: 'material-lost' } });
    await tidy(places);
    expect(await boundIn(places)).toEqual([origins[0], addresses[1]]);
    await secrets.write(market, 'another-key');
    expect(await secrets.read(market)).toEqual({ ok: true, value: 'another-key' });
    expect(await boundIn(places)).toEqual(addresses);
  });
});

describe('keys that are sealed anew', () => {
  it.each(['device', 'passphrase'] as const)(
    'in mode %s are lost nowhere, wherever the worker is stopped',
    async (mode) => {
      let steps = 0;
      for (let stopped = true; stopped; steps += 1) {
        const places = await oldPlaces(mode);
        stopped = await stopAt(steps + 1, places, (secrets) =>
          mode === 'device' ? secrets.keepOnly(ids) : secrets.unlock(passphrase),
        );
        const secrets = createSecretStore(places);
        if ((await secrets.state()).locked) await secrets.unlock(passphrase);
        await tidy(places);
        expect(await boundIn(places)).toEqual(addresses);
        expect(await secrets.read(market)).toEqual(marketKey);
        expect(await secrets.read(demo)).toEqual(demoKey);
      }
      expect(steps).toBeGreaterThan(1);
    },
  );

  const elsewhere = 'https://old.example';
  const here = 'https://market.example';
  it.each([
    ['before its connection was written', here, elsewhere, 'first-key'],
    ['after its connection was written', elsewhere, here, 'second-key'],
  ])('hold the key of a move that was stopped %s', async (_, first, second, expected) => {
    const places = await oldPlaces('device');
    const key = await deviceKeyOf(places);
    const { connectionId } = market;
    const bound = async (origin: string, text: string) => ({
      origin,
      sealed: await seal(key, { connectionId, origin }, text),
    });
    const entry = {
      ...(await bound(first, 'first-key')),
      next: await bound(second, 'second-key'),
    };
    const { entries, ...rest } = extensionStorage.secrets.device;
    const mixed = { ...rest, version: 2, entries: { ...entries, [connectionId]: entry } };
    await places.local.set({ secrets: mixed });
    expect(await createSecretStore(places).read(market)).toEqual({ ok: true, value: expected });
    await tidy(places);
    expect(await boundIn(places)).toEqual(addresses);
    expect((await storedIn(places)).entries[connectionId]).not.toHaveProperty('next');
  });
});
