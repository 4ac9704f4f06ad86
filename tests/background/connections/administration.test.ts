import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createTables } from '#adapters/storage/index';
import { fail } from '#core/result';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';

let harness: WorkerHarness;
let name: string;
beforeEach(async () => {
  name = crypto.randomUUID();
  harness = await createWorkerHarness(name);
});
afterEach(() => harness.close());

const report = () => harness.ask('unreadable.list', {});

/** Rewrites the stored connections, as a worker finds them at its start. */
async function damage(edit: (stored: Record<string, unknown>) => unknown): Promise<void> {
  await createTables(name).transact(['lists'], 'readwrite', async (transaction) => {
    const lists = transaction.objectStore('lists');
    const stored = (await lists.get('connections')) as Record<string, unknown>[];
    await lists.put(stored.map(edit), 'connections');
  });
  await harness.restart();
}

it('names a connection that cannot be read, and keeps its key until it is removed', async () => {
  const { id } = await harness.connect('/market');
  await damage((one) => ({ ...one, dialect: { tint: 'blue' } }));
  expect(await harness.ask('connections.list', {})).toEqual([]);
  await harness.closeBrowser();
  expect(harness.local.dump()).toContain(id);

  const { records, newer } = await report();
  expect(newer).toBe(false);
  expect(records).toMatchObject([{ source: 'connections', name: '/market' }]);
  const [entry] = records;
  const copy = await harness.ask('unreadable.copy', { id: entry?.id ?? '' });
  expect(copy).toContain('tint');

  const removed = await harness.ask('unreadable.remove', { id: entry?.id ?? '' });
  expect(removed).toEqual({ records: [], newer: false });
  expect(harness.local.dump()).not.toContain(id);
});

it('says that a newer version wrote a connection, and leaves it and its key alone', async () => {
  const { id } = await harness.connect('/market');
  await damage((one) => ({ ...one, version: 99 }));
  await harness.closeBrowser();
  expect(await report()).toEqual({ records: [], newer: true });
  expect(harness.local.dump()).toContain(id);
});

it('says that a newer version wrote the keys', async () => {
  await harness.local.set({ secrets: { version: 99 } });
  await expect(harness.restart()).rejects.toThrow('newer version');
  expect(await report()).toEqual({ records: [], newer: true });
});

it('names keys that cannot be read, and never shows them', async () => {
  await harness.connect('/market');
  const { secrets } = await harness.local.get('secrets');
  await harness.local.set({ secrets: { ...(secrets as object), lockAfterMinutes: 0 } });
  await harness.restart();
  const { records } = await report();
  expect(records).toMatchObject([{ source: 'secrets', path: 'lockAfterMinutes' }]);
  const copy = await harness.ask('unreadable.copy', { id: records[0]?.id ?? '' });
  const { entries } = secrets as { entries: Record<string, { sealed: { data: string } }> };
  for (const { sealed } of Object.values(entries)) expect(copy).not.toContain(sealed.data);
});

it('names settings that cannot be read, once', async () => {
  await harness.local.set({
    preferences: { pictures: 'no' },
    'reply-templates': { format: 'plain', templates: [{ id: 1 }] },
  });
  const { records } = await report();
  expect(records).toMatchObject([
    { source: 'preferences', path: 'pictures' },
    { source: 'reply-templates', path: 'templates.0.id' },
  ]);
  for (const { id } of records) await harness.ask('unreadable.remove', { id });
  expect(await report()).toEqual({ records: [], newer: false });
});

it.each(['preferences', 'reply-templates'])('says that a newer version wrote %s', async (key) => {
  await harness.local.set({ [key]: { version: 99 } });
  expect(await report()).toEqual({ records: [], newer: true });
});

it.each(['jobs', 'rows', 'history'] as const)(
  'says that a newer version wrote one of the %s',
  async (table) => {
    await createTables(name).transact([table], 'readwrite', (transaction) =>
      transaction.objectStore(table).put({ id: 1, jobId: 'j', index: 0, version: 99 }),
    );
    expect(await report()).toEqual({ records: [], newer: true });
  },
);

describe('settings of the history', () => {
  const store = (value: unknown) =>
    createTables(name).transact(['history-values'], 'readwrite', async (transaction) => {
      await transaction.objectStore('history-values').put(value, 'settings');
    });
  const settings = {
    days: 0,
    codes: 'masked',
    wholeDays: 3,
    tickets: false,
    goesWithConnection: true,
  } as const;

  it('are named when they cannot be read, and keep what can be read of them', async () => {
    await store({ ...settings, codes: 'all' });
    expect(await harness.history.settings()).toEqual(settings);
    expect((await report()).records).toMatchObject([{ source: 'history-settings', path: 'codes' }]);
    expect(await harness.history.settings()).toEqual(settings);
    expect((await report()).records).toHaveLength(1);
  });

  it('are kept by a write as well', async () => {
    await store('none');
    expect(await harness.history.changeSettings(settings)).toMatchObject({ ok: true });
    expect((await report()).records).toMatchObject([{ source: 'history-settings', path: '$' }]);
    expect(await harness.history.settings()).toEqual(settings);
  });

  it('of a newer version are read as far as they can be, and never overwritten', async () => {
    await store({ ...settings, version: 99 });
    expect(await harness.history.settings()).toEqual(settings);
    const written = await harness.history.changeSettings({ days: 5 });
    expect(written).toEqual(fail({ kind: 'newer-version' }));
    expect(await harness.history.settings()).toEqual(settings);
    expect(await report()).toEqual({ records: [], newer: true });
  });
});
