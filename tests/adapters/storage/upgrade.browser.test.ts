import { createStore, get } from 'idb-keyval';
import { beforeEach, describe, expect, it } from 'vitest';

import { createSecretStore } from '#adapters/secrets/secret-store';
import { createWrappingKeys } from '#adapters/secrets/wrapping';
import {
  createAuthorityStore,
  createConnectionStore,
  readBaseAddresses,
  createSiteStore,
} from '#adapters/storage/worker/connection-store';
import { createClockMemory, createKeyRing } from '#adapters/storage/page/verifier-stores';
import { createHistoryStore, createPageHistory } from '#adapters/storage/history-store';
import { createPageItems } from '#adapters/storage/item-cache';
import { createJobStore, createPageJobs } from '#adapters/storage/job-store';
import { createPreferenceSetting } from '#adapters/storage/preference-setting';
import { createReplyTemplateStore } from '#adapters/storage/reply-templates';
import { type Tables, createTables } from '#adapters/storage/tables';
import { readPreferences } from '#core/preferences';
import { createMemoryArea } from '#tests/adapters/memory-area';
import databases from '../../fixtures/stored-by-0.2.0/databases.json' with { type: 'json' };
import extensionStorage from '../../fixtures/stored-by-0.2.0/extension-storage.json' with { type: 'json' };
import { writeOldStorage } from '#tests/fixtures/stored-by-0.2.0/write';

const market = 'c0a8f1a2-0000-4000-8000-000000000001';
const demo = 'c0a8f1a2-0000-4000-8000-000000000002';
const code = (at: number): string => `5eed0000-0000-4000-8000-${String(at).padStart(12, '0')}`;

let name: string;
let tables: Tables;
beforeEach(async () => {
  name = crypto.randomUUID();
  await writeOldStorage(name);
  tables = createTables(name);
});

/** Everything that lies in the one database. */
async function contents(opened: Tables): Promise<string> {
  const everything = await opened.transact(
    ['lists', 'jobs', 'rows', 'history', 'history-values', 'listings', 'items'],
    'readonly',
    (transaction) =>
      Promise.all(
        [...transaction.objectStoreNames].map(async (table) => [
          table,
          await transaction.objectStore(table).getAllKeys(),
          await transaction.objectStore(table).getAll(),
        ]),
      ),
  );
  return JSON.stringify(everything);
}

/** Returns the records of a list as they are read, without their version. */
function listed(list: string): object[] {
  const entries = databases[''].stores.lists.entries as unknown as [string, object[]][];
  const [, records = []] = entries.find(([key]) => key === list) ?? [];
  return records.map((record) => ({ ...record, version: undefined }));
}

describe('what 0.2.0 stored', () => {
  it('opens as connections, in their order', async () => {
    const connections = await createConnectionStore(tables).read();
    const old = listed('connections');
    expect(connections).toEqual(old);
    expect(connections).toHaveLength(3);
  });

  it('opens as authorities', async () => {
    const authorities = await createAuthorityStore(tables).read();
    expect(authorities.map(({ name: label }) => label)).toEqual(['Licensing', 'Test bench']);
  });

  it('opens as sites', async () => {
    expect(await createSiteStore(tables).read()).toEqual([
      { origin: 'https://desk.example', automatic: true },
      { origin: 'http://localhost:8080', automatic: false },
    ]);
  });

  it('opens as pinned keys, a revoked one revoked', async () => {
    expect(await createKeyRing(tables).read()).toEqual(listed('pinned-keys'));
    expect((await createKeyRing(tables).read())[1]?.revoked).toBe(true);
  });

  it('opens as history, which still knows its codes', async () => {
    const history = { ...createHistoryStore(tables), ...createPageHistory(tables) };
    expect((await history.latest(10)).map(({ id }) => id)).toEqual([3, 2, 1]);
    const earlier = await history.ofCode(await history.codeIdOf(code(1)));
    expect(earlier.map(({ id, ticket }) => [id, ticket])).toEqual([
      [3, undefined],
      [1, 'https://desk.example/t/1'],
    ]);
    expect(await history.settings()).toEqual({
      days: 90,
      codes: 'whole',
      wholeDays: 0,
      tickets: true,
      goesWithConnection: false,
    });
    const [first] = earlier;
    if (first === undefined) throw new Error('It is there.');
    const { codeId, code: whole, connectionId, connectionName, checkedAt, answer, by } = first;
    await history.add([
      { codeId, code: whole, connectionId, connectionName, checkedAt, answer, by, question: 'q' },
    ]);
    expect((await history.latest(10)).map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 4]);
  });

  it('opens as a half-finished job, its waiting rows waiting', async () => {
    const jobs = { ...createJobStore(tables), ...createPageJobs(tables) };
    expect((await jobs.jobs()).map(({ id, state }) => [id, state])).toEqual([
      ['job-1', 'running'],
      ['job-0', 'paused'],
    ]);
    const rows = await jobs.rows('job-1');
    expect(rows.map(({ outcome }) => outcome !== undefined)).toEqual(
      Array.from({ length: 12 }, (_, at) => at < 5),
    );
    const waiting = await jobs.waiting('job-1', market, 0, 100);
    expect(waiting.map(({ index }) => index)).toEqual([5, 6, 7, 8, 9, 10, 11]);
    // The files that codes came from are stored since.
    expect(await jobs.source('job-1')).toBeUndefined();
    const file = new Blob(['order;code\n']);
    const layout = { delimiter: ';', column: 1, hasHeadings: true, patterns: [] } as const;
    const job = { id: 'job-2', name: 'x.csv', createdAt: 2, connectionIds: [market] };
    await jobs.add({ ...job, state: 'running' }, [], { file, layout });
    expect(await (await jobs.source('job-2'))?.file.text()).toBe('order;code\n');
  });

  it('opens as items', async () => {
    const { listing, items } = await createPageItems(tables).read(market);
    expect(listing).toMatchObject({ unreadable: 1 });
    expect(items.map(({ item, lookedUp }) => [item.name, lookedUp])).toEqual([
      ['Anchor', false],
      ['Harbor Theme', false],
      ['Hidden', true],
    ]);
  });

  it('opens as reply templates, which state a version once they are written', async () => {
    const area = createMemoryArea();
    const stored = extensionStorage.local['reply-templates'];
    await area.set({ 'reply-templates': stored });
    const setting = createReplyTemplateStore(area);
    const read = await setting.read();
    const [{ verdict, ...thanks }] = stored.templates as [(typeof stored.templates)[number]];
    const present = {
      format: 'markdown',
      templates: [{ ...thanks, situation: verdict, language: 'en', whole: true }],
    };
    expect(read).toEqual(present);
    await setting.write(read ?? { format: 'plain' });
    expect(await area.get(null)).toEqual({ 'reply-templates': { ...present, version: 2 } });
  });

  it('opens as preferences, which state a version once they are written', async () => {
    const area = createMemoryArea();
    const { preferences: stored } = extensionStorage.local;
    await area.set({ preferences: stored });
    const setting = createPreferenceSetting(area);
    const read = await setting.read();
    // Switches that came later have their defaults.
    expect(readPreferences(read)).toEqual({
      agent: '',
      shortcuts: true,
      language: '',
      firstSteps: '',
      ...stored,
    });
    await setting.write({ ...read });
    expect(await area.get(null)).toEqual({ preferences: { ...stored, version: 1 } });
  });

  it('opens as the latest moment seen', async () => {
    const old = Number(databases['-clock'].stores.clock.entries[0]?.[1]);
    const clock = `${name}-clock`;
    expect(await createClockMemory(clock).note(old - 1000)).toBe(old);
    await createClockMemory(clock).reset(old - 1000);
    expect(await createClockMemory(clock).note(old - 2000)).toBe(old - 1000);
    expect(await get('latest-seen', createStore(clock, 'clock'))).toEqual({
      at: old - 1000,
      version: 1,
    });
  });
});

describe('keys that 0.2.0 stored', () => {
  const places = async (mode: 'device' | 'passphrase' | 'session') => {
    const local = createMemoryArea();
    await local.set({ secrets: extensionStorage.secrets[mode] });
    const wrappingKeys = createWrappingKeys(createStore(`${name}-keys`, 'wrapping'));
    const baseAddresses = () => readBaseAddresses(createConnectionStore(tables));
    const session = createMemoryArea();
    return { local, session, wrappingKeys, baseAddresses, now: Date.now };
  };
  const atMarket = { connectionId: market, baseAddress: 'https://market.example/shop' };
  const atDemo = { connectionId: demo, baseAddress: 'https://demo.example' };

  it('open on this device', async () => {
    const secrets = createSecretStore(await places('device'));
    expect(await secrets.read(atMarket)).toEqual({ ok: true, value: 'canary-market-key' });
    expect(await secrets.read(atDemo)).toEqual({ ok: true, value: 'canary-demo-key' });
  });

  it('open under their passphrase', async () => {
    const secrets = createSecretStore(await places('passphrase'));
    expect(await secrets.read(atMarket)).toEqual({ ok: false, fault: { kind: 'locked' } });
    expect(await secrets.unlock('seven grey herons')).toMatchObject({ ok: true });
    expect(await secrets.read(atMarket)).toEqual({ ok: true, value: 'canary-market-key' });
    expect(await secrets.read(atDemo)).toEqual({ ok: true, value: 'canary-demo-key' });
  });

  it('are asked for where they were kept for the session alone', async () => {
    const secrets = createSecretStore(await places('session'));
    expect(await secrets.state()).toMatchObject({ mode: 'session' });
    expect(await secrets.has(atMarket)).toBe(false);
    expect(await secrets.read(atMarket)).toEqual({
      ok: false,
      fault: { kind: 'no-key', because: 'session-ended' },
    });
  });
});

describe('the database', () => {
  it('closes for a page that brings a newer version, and is left alone after it', async () => {
    const store = createConnectionStore(tables);
    const before = await contents(tables);
    await store.read();
    const newer = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1000);
      request.onsuccess = () => {
        resolve(request.result);
      };
      request.onblocked = () => {
        reject(new Error('It is held open.'));
      };
    });
    newer.close();
    await expect(store.read()).rejects.toMatchObject({ name: 'VersionError' });
    expect(before).toContain('Market');
  });

  it('opens anew when it was deleted under an open page', async () => {
    const store = createConnectionStore(tables);
    expect(await store.read()).toHaveLength(3);
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = resolve;
      request.onblocked = reject;
    });
    expect(await store.read()).toEqual([]);
  });
});
