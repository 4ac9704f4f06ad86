import 'fake-indexeddb/auto';

import { createStore } from 'idb-keyval';
import { beforeEach, describe, expect, it } from 'vitest';

import { createSecretStore, type SecretStore } from '#adapters/secrets/secret-store';
import { createWrappingKeys } from '#adapters/secrets/wrapping-keys';
import { createHistoryStore, createPageHistory } from '#adapters/storage/history-store';
import { createJobStore, createPageJobs } from '#adapters/storage/job-store';
import { createKeyRing } from '#adapters/storage/page/verifier-stores';
import { createPreferenceSetting } from '#adapters/storage/preference-setting';
import { createReplyTemplateStore } from '#adapters/storage/reply-templates';
import { createTables, type Tables } from '#adapters/storage/tables';
import { createAuthorityStore } from '#adapters/storage/worker/authority-store';
import { createConnectionStore, createSiteStore } from '#adapters/storage/worker/connection-store';
import { createTeamStore } from '#adapters/storage/worker/team-store';
import {
  createUnreadableRecords,
  type UnreadableRecords,
} from '#adapters/storage/worker/unreadable-records';
import { defaultDialect, type StoredConnection } from '#core/connections/index';
import { fail } from '#core/result';
import type { RecordSourceName } from '#core/storage/index';
import { createMemoryArea, type MemoryArea } from '#tests/adapters/memory-area';
import { defaultHistorySettings } from '#core/preferences/index';

const connection = (id: string): StoredConnection => ({
  id,
  name: `Shop ${id}`,
  baseAddress: `https://${id}.example`,
  revision: 1,
  dialect: defaultDialect,
});
const job = { name: 'list', createdAt: 5, connectionIds: ['a'], state: 'running' } as const;
const row = { jobId: 'j', index: 0, connectionId: 'a', code: 'code', line: 1, times: 1 };
const entry = {
  codeId: 'digest',
  code: 'code',
  connectionId: 'a',
  connectionName: 'A',
  checkedAt: 5,
  answer: { kind: 'not-found' },
  by: 'agent',
  question: 'q',
};

/** What cannot be read of each source, with the first member of it that cannot. */
const damaged: Readonly<Record<RecordSourceName, readonly [path: string, value: object]>> = {
  connections: ['id', { name: 'Odd', controlToken: 'canary', inner: { apiKey: 'canary' } }],
  authorities: ['id', { name: 'Odd', address: 'https://odd.example' }],
  sites: ['automatic', { origin: 'https://odd.example' }],
  'pinned-keys': ['raw', { label: 'Odd', raw: 'short' }],
  jobs: ['state', { ...job, id: 'odd', state: 'asleep' }],
  rows: ['times', { ...row, index: 1, waiting: 1, times: 'twice' }],
  history: ['by', { ...entry, id: 2, by: 'nobody' }],
  'history-settings': ['codes', { ...defaultHistorySettings, days: 3, codes: 'all' }],
  secrets: ['wrapping', { entries: { a: 'canary' }, lockAfterMinutes: 5 }],
  preferences: ['pictures', { theme: 'dark', pictures: 'no' }],
  'reply-templates': ['format', { format: 'rich', language: 'de' }],
  team: ['joined', { joined: 7, token: 'canary' }],
};
const sources = Object.keys(damaged) as RecordSourceName[];
const lists = ['connections', 'authorities', 'sites', 'pinned-keys'] as const;
const settings = ['secrets', 'preferences', 'reply-templates', 'team'] as const;

let tables: Tables;
let local: MemoryArea;
let secrets: SecretStore;
let records: UnreadableRecords;

beforeEach(async () => {
  tables = createTables(crypto.randomUUID());
  local = createMemoryArea();
  secrets = createSecretStore({
    local,
    session: createMemoryArea(),
    wrappingKeys: createWrappingKeys(createStore(crypto.randomUUID(), 'wrapping')),
    now: Date.now,
  });
  records = createUnreadableRecords(tables, local, secrets);
  await tables.transact(
    ['lists', 'jobs', 'rows', 'history', 'history-values'],
    'readwrite',
    async (transaction) => {
      for (const list of lists) {
        const first = list === 'connections' ? [{ ...connection('a'), version: 1 }] : [];
        const newer = { version: 99, of: 'a form we do not know' };
        await transaction.objectStore('lists').put([...first, damaged[list][1], newer], list);
      }
      await transaction.objectStore('jobs').put({ ...job, id: 'j', version: 1 });
      await transaction.objectStore('jobs').put(damaged.jobs[1]);
      await transaction.objectStore('rows').put({ ...row, waiting: 0, version: 1 });
      await transaction.objectStore('rows').put(damaged.rows[1]);
      await transaction.objectStore('history').put({ ...entry, id: 1, version: 1 });
      await transaction.objectStore('history').put(damaged.history[1]);
      await transaction
        .objectStore('history-values')
        .put(damaged['history-settings'][1], 'settings');
    },
  );
  for (const key of settings) await local.set({ [key]: damaged[key][1] });
});

/** Everything that is stored. */
async function contents(): Promise<string> {
  const everything = await tables.transact(
    ['lists', 'jobs', 'rows', 'history', 'history-values'],
    'readonly',
    (transaction) =>
      Promise.all(
        [...transaction.objectStoreNames].map(async (table) => [
          await transaction.objectStore(table).getAllKeys(),
          await transaction.objectStore(table).getAll(),
        ]),
      ),
  );
  return JSON.stringify(everything) + local.dump();
}

async function readAll(): Promise<Readonly<Record<RecordSourceName, unknown>>> {
  const jobs = { ...createPageJobs(tables), ...createJobStore(tables) };
  const history = { ...createPageHistory(tables), ...createHistoryStore(tables) };
  return {
    connections: await createConnectionStore(tables).read(),
    authorities: await createAuthorityStore(tables).read(),
    sites: await createSiteStore(tables).read(),
    'pinned-keys': [await createKeyRing(tables).read(), await createKeyRing(tables).unused()],
    jobs: [await jobs.jobs(), await jobs.deletedJobs(), await jobs.job('odd')],
    rows: [await jobs.rows('j'), await jobs.waiting('j', 'a', 0, 9), await jobs.row('j', 1)],
    history: [
      await history.latest(9),
      await history.codeIdOf('code'),
      await history.ofCode('digest'),
      await history.entry(2),
    ],
    'history-settings': await history.settings(),
    secrets: [
      await secrets.state(),
      await secrets.read({ connectionId: 'a', baseAddress: 'https://a.example' }),
    ],
    preferences: await createPreferenceSetting(local).read(),
    'reply-templates': await createReplyTemplateStore(local).read(),
    team: await createTeamStore(local).read(),
  };
}

async function idOf(source: RecordSourceName): Promise<string> {
  const found = (await records.report()).records.find((record) => record.source === source);
  if (found === undefined) throw new Error(`There is none of ${source}.`);
  return found.id;
}

async function copyOf(source: RecordSourceName): Promise<unknown> {
  return JSON.parse((await records.copy(await idOf(source))) ?? '');
}

describe('reading', () => {
  it('leaves everything as it is stored, however often', async () => {
    const before = await contents();
    const first = await readAll();
    const report = await records.report();
    for (const { id } of report.records) await records.copy(id);
    expect(await readAll()).toEqual(first);
    expect(await records.report()).toEqual(report);
    expect(await contents()).toBe(before);
  });

  it('returns what can be read alone', async () => {
    const { jobs, rows, history, ...read } = await readAll();
    expect(jobs).toMatchObject([[{ id: 'j' }], [], undefined]);
    expect(rows).toMatchObject([[{ index: 0 }], [{ index: 0 }], undefined]);
    expect(history).toMatchObject([[{ id: 1 }], '', [{ id: 1 }], undefined]);
    expect(read).toMatchObject({
      connections: [connection('a')],
      authorities: [],
      sites: [],
      'pinned-keys': [[], { unreadable: 1, newer: true }],
      'history-settings': { days: 3, codes: 'masked' },
      secrets: [{ mode: 'device', locked: false }, { ok: false }],
      preferences: { theme: 'dark' },
      'reply-templates': { format: 'plain', language: 'de' },
      team: {},
    });
  });
});

describe('records that cannot be read', () => {
  it('are each named with the part that cannot be read', async () => {
    const report = await records.report();
    expect(report.newer).toBe(true);
    expect(report.records.map(({ source, path }) => [source, path])).toEqual(
      sources.map((source) => [source, damaged[source][0]]),
    );
    expect(report.records[0]).toMatchObject({ name: 'Odd' });
  });

  it('are copied from where they lie, without what may be secret', async () => {
    for (const source of sources) {
      const copy = await copyOf(source);
      expect(copy).toMatchObject({ source, path: damaged[source][0] });
      expect(JSON.stringify(copy)).not.toContain('canary');
    }
    expect(await copyOf('rows')).toMatchObject({ value: damaged.rows[1] });
    expect(await records.copy('gone')).toBeUndefined();
  });

  it.each(sources)('are removed alone where they lie: %s', async (source) => {
    const before = await readAll();
    await records.remove(await idOf(source));
    expect((await records.report()).records.map((record) => record.source)).toEqual(
      sources.filter((other) => other !== source),
    );
    const unused = { unreadable: 0, newer: true };
    expect(await readAll()).toEqual(
      source === 'pinned-keys' ? { ...before, 'pinned-keys': [[], unused] } : before,
    );
    await records.remove('gone');
  });

  it('are one where they are equal', async () => {
    await tables.transact(['lists'], 'readwrite', (transaction) =>
      transaction.objectStore('lists').put([null, null, 7], 'sites'),
    );
    const ofSites = async () =>
      (await records.report()).records.filter(({ source }) => source === 'sites');
    expect(await ofSites()).toHaveLength(2);
    await records.remove(await idOf('sites'));
    expect(await ofSites()).toHaveLength(1);
    expect(await copyOf('sites')).toMatchObject({ value: 7 });
  });
});

describe('a record that cannot be read', () => {
  const change = {
    connections: () =>
      createConnectionStore(tables).change((all) => [connection('first'), ...all, connection('b')]),
    'history-settings': () => createHistoryStore(tables).changeSettings({ days: 9 }),
    secrets: () =>
      secrets.write({ connectionId: 'a', baseAddress: 'https://a.example' }, 'the key'),
    preferences: () => createPreferenceSetting(local).write({ theme: 'light' }),
    'reply-templates': () =>
      createReplyTemplateStore(local).change((present) => ({ format: 'plain', ...present })),
    team: () => createTeamStore(local).write({}),
  };
  const changed = Object.keys(change) as (keyof typeof change)[];

  it.each(changed)('outlives a change of its own place: %s', async (source) => {
    const id = await idOf(source);
    const copy = await records.copy(id);
    expect(await change[source]()).toMatchObject({ ok: true });
    await change[source]();
    expect((await records.report()).records).toHaveLength(sources.length);
    expect(await records.copy(id)).toBe(copy);
    await records.remove(id);
    expect((await records.report()).records).toHaveLength(sources.length - 1);
  });

  it('keeps its place in a list, as one of a newer version does', async () => {
    const list = createConnectionStore(tables);
    await list.change((all) => [...all, connection('b')]);
    await list.change((all) => all.map((one) => ({ ...one, name: 'New' })));
    const stored = await tables.transact(['lists'], 'readonly', (transaction) =>
      transaction.objectStore('lists').get('connections'),
    );
    expect(stored).toMatchObject([
      { id: 'a', name: 'New' },
      damaged.connections[1],
      { version: 99 },
      { id: 'b', name: 'New' },
    ]);
  });

  it('keeps what can be read of a setting when it is removed', async () => {
    await records.remove(await idOf('preferences'));
    expect(await local.get('preferences')).toEqual({ preferences: { theme: 'dark', version: 1 } });
  });

  it.each(['secrets', 'preferences', 'team'] as const)(
    'stays where it is on a full disk: %s',
    async (source) => {
      const before = await contents();
      local.limitTo(local.dump().length);
      await Promise.resolve(change[source]()).catch(() => undefined);
      expect(await contents()).toBe(before);
    },
  );

  it('stays in its list on a full disk, and is removed once there is room', async () => {
    const full = {
      ...tables,
      write: () => Promise.resolve(fail({ kind: 'storage-full' } as const)),
    };
    const before = await contents();
    await createConnectionStore(full).change(() => []);
    const onFullDisk = createUnreadableRecords(full, local, secrets);
    await onFullDisk.remove(await idOf('connections'));
    expect(await contents()).toBe(before);
    await records.remove(await idOf('connections'));
    expect((await records.report()).records).toHaveLength(sources.length - 1);
  });
});

it('a record behind many others is found, copied and removed', async () => {
  await tables.transact(['history'], 'readwrite', async (transaction) => {
    const store = transaction.objectStore('history');
    for (let id = 10; id < 1210; id += 1) await store.put({ ...entry, id, version: 1 });
    await store.put({ ...entry, id: 1210, by: 'nobody', version: 1 });
  });
  const ofHistory = async () =>
    (await records.report()).records.filter(({ source }) => source === 'history');
  const found = await ofHistory();
  expect(found).toHaveLength(2);
  const last = found.at(-1);
  expect(await records.copy(last?.id ?? '')).toContain('"id": 1210');
  await records.remove(last?.id ?? '');
  expect(await ofHistory()).toEqual(found.slice(0, 1));
});
