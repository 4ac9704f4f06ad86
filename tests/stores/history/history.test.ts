import { beforeEach, describe, expect, test } from 'vitest';

import { dayMs } from '#core/time/units';
import { fail } from '#core/result';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { useHistory } from '#stores/history/history';
import { historyPort } from '#stores/history/ports';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { withWorker } from '#tests/stores/with-worker';

const { supported, lapsed } = sampleCodes('/market');

let harness: WorkerHarness;
let connectionId: string;
beforeEach(async () => {
  harness = await createWorkerHarness();
  ({ id: connectionId } = await harness.connect('/market'));
  return () => harness.close();
});

const check = (code: string): Promise<unknown> =>
  harness.ask('check', { code, connectionId, fresh: true });

async function opened(pinia = withWorker(harness)) {
  const history = useHistory(pinia);
  await history.load();
  return history;
}

describe('the history', () => {
  test('shows what was checked, the latest first, with masked codes', async () => {
    await check(supported);
    await check(lapsed);
    const history = await opened();
    expect(history.shown.map(({ code }) => code.slice(-4))).toEqual([
      lapsed.slice(-4),
      supported.slice(-4),
    ]);
    expect(JSON.stringify(history.entries)).not.toContain(supported);
  });

  test('finds a masked entry by its whole code, however it is spelled', async () => {
    await check(supported);
    await check(lapsed);
    const history = await opened();
    await history.search(` ${supported.toUpperCase()} `);
    expect(history.shown).toHaveLength(1);
    expect(history.shown[0]?.code.slice(-4)).toBe(supported.slice(-4));
    await history.search('');
    expect(history.shown).toHaveLength(2);
  });

  test('finds an entry by its note', async () => {
    await check(supported);
    await check(lapsed);
    const history = await opened();
    const id = history.shown[0]?.id ?? -1;
    await history.annotate(id, '', '  asked for an Invoice ');
    await history.search('invoice');
    expect(history.shown.map((entry) => entry.id)).toEqual([id]);
    expect(history.shown[0]?.note).toBe('asked for an Invoice');
  });

  test('gives the other entries of one code', async () => {
    await check(supported);
    await check(lapsed);
    await check(supported);
    const history = await opened();
    const [latest, , first] = history.shown;
    if (latest === undefined) throw new Error('There is no entry.');
    expect(await history.others(latest)).toEqual([first]);
  });

  test('forgets one entry, or all of them', async () => {
    await check(supported);
    await check(lapsed);
    const history = await opened();
    const [newest, oldest] = history.shown;
    await history.remove(newest?.id ?? -1);
    expect(history.shown).toEqual([oldest]);
    await history.erase();
    expect(history.shown).toEqual([]);
    expect(await harness.history.latest(10)).toEqual([]);
  });

  test('drops what is older than the days that were chosen, and everything at 0 days', async () => {
    await check(supported);
    const [entry] = await harness.history.latest(1);
    if (entry === undefined) throw new Error('There is no entry.');
    const { id: newest, ...copy } = entry;
    await harness.history.add([{ ...copy, checkedAt: entry.checkedAt - 10 * dayMs }]);
    const history = await opened();
    expect(history.shown).toHaveLength(2);
    await history.change({ codes: 'whole' });
    expect(history.shown).toHaveLength(2);
    await history.change({ days: 7 });
    expect(history.shown.map(({ id }) => id)).toEqual([newest]);
    await history.change({ days: 0 });
    expect(history.shown).toEqual([]);
    expect(await harness.history.settings()).toMatchObject({ days: 0, codes: 'whole' });
  });

  test('says when the disk is full for a note', async () => {
    await check(supported);
    const pinia = withWorker(harness, (app) =>
      app.provide(historyPort, {
        ...harness.history,
        annotate: () => Promise.resolve(fail({ kind: 'storage-full' })),
      }),
    );
    const history = await opened(pinia);
    await history.annotate(history.shown[0]?.id ?? -1, '', 'note');
    expect(history.storageFull).toBe(true);
  });
});

test('a search that ends late does not name another code than the one searched for', async () => {
  await check(supported);
  await check(lapsed);
  const slow = Promise.withResolvers<undefined>();
  const pinia = withWorker(harness, (app) =>
    app.provide(historyPort, {
      ...harness.history,
      codeIdOf: async (code) => {
        if (code === supported) await slow.promise;
        return harness.history.codeIdOf(code);
      },
    }),
  );
  const history = await opened(pinia);
  const older = history.search(supported);
  await history.search(lapsed);
  slow.resolve(undefined);
  await older;
  expect(history.shown.map(({ code }) => code.slice(-4))).toEqual([lapsed.slice(-4)]);
});
