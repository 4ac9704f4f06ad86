import 'fake-indexeddb/auto';

import { createStore } from 'idb-keyval';
import { expect, it } from 'vitest';

import { createTables } from '#adapters/storage/index';
import { createConnectionStore } from '#adapters/storage/worker/connection-store';
import { createSecretStore } from '#adapters/secrets/secret-store';
import { createWrappingKeys } from '#adapters/secrets/wrapping-keys';
import { createSessionCache } from '#adapters/storage/session-cache';
import { rememberList } from '#adapters/storage/record-list';
import { createConnections } from '#background/connections/connections';
import { proveDialect } from '#background/seller/seller-feature';
import { createSerialQueue } from '#background/serial-queue';
import { defaultDialect } from '#core/connections/index';
import { succeed } from '#core/result';
import { createMemoryArea } from '#tests/adapters/memory-area';

const id = 'd2b6f0f4-6a0e-4a57-9d0c-0f0f5f7f2a11';
const now = () => 1_800_000_000_000;

it('gives a connection that is proven while it is saved a revision of its own for each', async () => {
  const session = createMemoryArea();
  const secrets = createSecretStore({
    local: createMemoryArea(),
    session,
    wrappingKeys: createWrappingKeys(createStore(crypto.randomUUID(), 'wrapping')),
    now,
  });
  let meanwhile = (): Promise<unknown> => Promise.resolve();
  const nothing = () => Promise.resolve();
  const store = rememberList(createConnectionStore(createTables(crypto.randomUUID())));
  const sessionCache = createSessionCache(session);
  const connections = createConnections({
    store,
    secrets: {
      ...secrets,
      async writeWith(binding, apiKey, commit) {
        await meanwhile();
        return secrets.writeWith(binding, apiKey, commit);
      },
    },
    list: () => Promise.resolve([]),
    stateOf: (stored) => Promise.resolve({ ...stored, hasKey: true, permitted: true }),
    applyRules: () => Promise.resolve(true),
    sessionCache,
    runExclusive: createSerialQueue(),
    originPermissions: { giveUpUnused: () => Promise.resolve() },
    teamKeys: () => Promise.resolve([]),
    forget: nothing,
    scheduleAlarm: nothing,
    now,
  });
  const draft = { name: 'Shop', apiKey: 'key', dialect: defaultDialect };
  const before = await connections.save({ ...draft, baseAddress: 'https://old.example' }, id);
  if (!before.ok) throw new Error(before.fault.kind);

  let proven = before.value.revision;
  meanwhile = async () => {
    const access = { connection: before.value, wasLocked: () => false };
    const after = await proveDialect(
      { connectionStore: store, sessionCache, runExclusive: createSerialQueue() },
      access,
      defaultDialect,
    );
    proven = after.revision;
  };
  const moved = await connections.save({ ...draft, id, baseAddress: 'https://new.example' }, id);

  expect(proven).toBe(before.value.revision + 1);
  expect(moved).toMatchObject(
    succeed({
      revision: proven + 1,
      baseAddress: 'https://new.example',
      dialect: { proven: false },
    }),
  );
});
