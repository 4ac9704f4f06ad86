import { afterEach, beforeEach, expect, it } from 'vitest';

import { createTables } from '#adapters/storage/tables';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';

let harness: WorkerHarness;
let name: string;
beforeEach(async () => {
  name = crypto.randomUUID();
  harness = await createWorkerHarness(name);
});
afterEach(() => harness.close());

const report = () => harness.ask('quarantine.list', {});

/** Rewrites the stored connections behind the worker's back. */
async function damage(edit: (stored: Record<string, unknown>) => unknown): Promise<void> {
  await createTables(name).transact(['lists'], 'readwrite', async (transaction) => {
    const lists = transaction.objectStore('lists');
    const stored = (await lists.get('connections')) as Record<string, unknown>[];
    await lists.put(stored.map(edit), 'connections');
  });
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
  const copy = await harness.ask('quarantine.copy', { id: entry?.id ?? 0 });
  expect(copy).toContain('tint');

  const removed = await harness.ask('quarantine.remove', { id: entry?.id ?? 0 });
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
  expect(await report()).toEqual({ records: [], newer: true });
});

it('sets keys aside that cannot be read, and never shows them', async () => {
  await harness.connect('/market');
  const { secrets } = await harness.local.get('secrets');
  await harness.local.set({ secrets: { ...(secrets as object), lockAfterMinutes: 0 } });
  const { records } = await report();
  expect(records).toMatchObject([{ source: 'secrets', path: 'lockAfterMinutes' }]);
  const copy = await harness.ask('quarantine.copy', { id: records[0]?.id ?? 0 });
  const { entries } = secrets as { entries: Record<string, { sealed: { data: string } }> };
  for (const { sealed } of Object.values(entries)) expect(copy).not.toContain(sealed.data);
});
