import 'fake-indexeddb/auto';

import { createStore } from 'idb-keyval';
import { expect, it } from 'vitest';

import { createSecretStore } from '#adapters/secrets/secret-store';
import { createWrappingKeys } from '#adapters/secrets/wrapping-keys';
import { createConnectionStore } from '#adapters/storage/worker/connection-store';
import { createSessionCache } from '#adapters/storage/session-cache';
import { createTables } from '#adapters/storage/index';
import { createConnections } from '#background/connections/connections';
import { bindingOf } from '#background/seller/index';
import { createSerialQueue } from '#background/serial-queue';
import { defaultDialect, type SecretMode } from '#core/connections/index';
import { fail } from '#core/result';
import { createMemoryArea } from '#tests/adapters/memory-area';
import { deriveInOneRound } from '#tests/support/one-round';

const id = 'd2b6f0f4-6a0e-4a57-9d0c-0f0f5f7f2a11';
const passphrase = 'seven grey herons';
const nothing = () => Promise.resolve();

deriveInOneRound();

/** One connection with its key, over a disk that is full from the `writes`-th write on. */
async function createDisk(mode: SecretMode) {
  let left = Number.POSITIVE_INFINITY;
  const isFull = (): boolean => (left -= 1) < 0;
  const tables = createTables(crypto.randomUUID());
  const local = createMemoryArea();
  const session = createMemoryArea();
  const whole = createConnectionStore(tables);
  const store: typeof whole = {
    ...whole,
    change: (edit) =>
      isFull() ? Promise.resolve(fail({ kind: 'storage-full' })) : whole.change(edit),
  };
  const secrets = createSecretStore({
    local: {
      ...local,
      set: (items) => (isFull() ? Promise.reject(new Error('Full.')) : local.set(items)),
    },
    session,
    wrappingKeys: createWrappingKeys(createStore(crypto.randomUUID(), 'wrapping')),
    now: () => 1_800_000_000_000,
  });
  const connections = createConnections({
    store,
    secrets,
    now: () => 1_800_000_000_000,
    list: () => Promise.resolve([]),
    stateOf: (stored) => Promise.resolve({ ...stored, hasKey: true, permitted: true }),
    applyRules: () => Promise.resolve(true),
    sessionCache: createSessionCache(session),
    runExclusive: createSerialQueue(),
    originPermissions: { giveUpUnused: nothing },
    teamKeys: () => Promise.resolve([]),
    forget: nothing,
    scheduleAlarm: nothing,
  });
  await secrets.setMode({ mode, passphrase });
  const saved = await connections.save(
    { name: 'Old', baseAddress: 'https://old.example', apiKey: 'old-key', dialect: defaultDialect },
    id,
  );
  if (!saved.ok) throw new Error(saved.fault.kind);
  return {
    connections,
    secrets,
    session,
    fillAfter: (writes: number) => {
      left = writes;
    },
    makeRoom: () => {
      left = Number.POSITIVE_INFINITY;
    },
    wasFull: () => left < 0,
    present: async () => {
      const [one] = await whole.read();
      if (one === undefined) throw new Error('The connection is there.');
      return { name: one.name, key: await secrets.read(bindingOf(one)) };
    },
  };
}

const oldKey = { ok: true, value: 'old-key' };
const newKey = { ok: true, value: 'new-key' };

it.each(['device', 'passphrase', 'session'] as const)(
  'a full disk at any write leaves a connection its key in mode %s',
  async (mode) => {
    let faults = 0;
    for (let writes = 0, isOver = false; !isOver; writes += 1) {
      const disk = await createDisk(mode);
      disk.fillAfter(writes);
      const saved = await disk.connections.save(
        {
          id,
          name: 'New',
          baseAddress: 'https://new.example',
          apiKey: 'new-key',
          dialect: defaultDialect,
        },
        id,
      );
      isOver = !disk.wasFull();
      disk.makeRoom();
      if (!saved.ok) {
        expect(saved.fault).toEqual({ kind: 'storage-full' });
        faults += 1;
      }
      expect(await disk.present()).toEqual(
        saved.ok ? { name: 'New', key: newKey } : { name: 'Old', key: oldKey },
      );
    }
    expect(faults).toBe(2);
  },
);

it('what was left by a full disk does not stand in the way of the next save', async () => {
  const disk = await createDisk('device');
  const draft = { id, name: 'New', apiKey: 'new-key', dialect: defaultDialect };
  disk.fillAfter(1);
  await disk.connections.save({ ...draft, baseAddress: 'https://new.example' }, id);
  disk.makeRoom();
  await disk.connections.save({ ...draft, baseAddress: 'https://third.example' }, id);
  expect(await disk.present()).toEqual({ name: 'New', key: newKey });
});

it('a full disk while keys are to be stored in another way leaves them as they were, and none unsealed', async () => {
  const disk = await createDisk('passphrase');
  disk.fillAfter(0);
  expect(await disk.secrets.setMode({ mode: 'session', passphrase })).toEqual(
    fail({ kind: 'storage-full' }),
  );
  expect(JSON.stringify(await disk.session.get(null))).not.toContain('old-key');
  disk.makeRoom();
  await disk.secrets.unlock(passphrase);
  expect(await disk.present()).toEqual({ name: 'Old', key: oldKey });
});
