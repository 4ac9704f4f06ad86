import { setTimeout as pause } from 'node:timers/promises';

import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { HistoryEntry } from '#core/history/index';
import type { VerdictWord } from '#core/verdict/index';
import { createZone, dayMs, minuteMs } from '#core/time/index';
import { fail, succeed } from '#core/result';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { useBulk } from '#stores/bulk/bulk';
import { useCheck } from '#stores/check/index';
import { useConnections } from '#stores/connections/connections';
import { useHistory } from '#stores/history/history';
import { historyPort } from '#stores/history/ports';
import { useMonthReport } from '#stores/history/report';
import { useUndoOffer } from '#stores/ui/undo-offer';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { withWorker } from '#tests/stores/with-worker';

const { supported, lapsed, unknown } = sampleCodes('/market');

/** Shows that a connection understands what it is asked. */
const proving = { code: sampleCodes('/demo').supported, fresh: true };
/** Codes that nobody has sold. */
const strangers = [1, 2, 3].map((at) => `5eed0000-0000-4000-8000-00000000000${String(at)}`);

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

/** The same answer, ten days before. */
function olderThan({ codeId, code, connectionName, answer, by, checkedAt }: HistoryEntry) {
  const before = checkedAt - 10 * dayMs;
  const question = crypto.randomUUID();
  return { codeId, code, connectionId, connectionName, answer, by, question, checkedAt: before };
}

async function withUndo() {
  const pinia = withWorker(harness);
  return { history: await opened(pinia), undo: useUndoOffer(pinia) };
}

/** Checks a code as a page does, at all connections that a code may be known at. */
async function checkOnPage(code: string): Promise<void> {
  harness.pass(1000);
  const page = useCheck(withWorker(harness));
  page.replaceText(code, false);
  await page.submit();
}

test('what a bulk check has not asked a connection about waits, is not checked once it is cancelled, as in its own table and in the report, and has no answer once it is gone', async () => {
  const demo = await harness.connect('/demo');
  await harness.injectFault({ base: '/demo', fault: 'too-many-429', retryAfter: 60, times: 9 });
  const pinia = withWorker(harness);
  await useConnections(pinia).load();
  const bulk = useBulk(pinia);
  const codes = [supported, unknown].map((code, at) => ({ code, line: at + 1, times: 1 }));
  const id = String(await bulk.start('', codes, [connectionId, demo.id]));
  const history = await opened(pinia);
  const groups = async (): Promise<VerdictWord[]> => {
    await history.load();
    return history.checks.map(({ group }) => group).sort();
  };
  await expect.poll(groups, { timeout: 20_000 }).toEqual(['supported', 'waiting']);
  await bulk.setState(id, 'paused');
  await expect.poll(groups).toEqual(['supported', 'waiting']);
  const waiting = history.checks.find(({ group }) => group === 'waiting');
  expect(waiting).toMatchObject({ silent: [demo.id], connectionNames: ['/demo'] });
  await bulk.setState(id, 'cancelled');
  await expect.poll(groups).toEqual(['not-checked', 'supported']);
  await expect
    .poll(() => bulk.counts.get(id))
    .toMatchObject({ supported: 1, waiting: 0, 'not-checked': 1 });
  const report = useMonthReport(pinia);
  await report.load(createZone('UTC'));
  report.withBulk = true;
  expect(report.report).toMatchObject({ checks: 1, verdicts: { supported: 1, fault: 0 } });
  await bulk.remove(id, '');
  await expect.poll(groups).toEqual(['fault', 'supported']);
});

test('what a bulk check has asked a connection about in vain has no answer, while the rest waits', async () => {
  const demo = await harness.connect('/demo');
  await harness.ask('check', { ...proving, connectionId: demo.id });
  await harness.history.erase();
  const at = { base: '/demo', endpoint: 'validation' } as const;
  await harness.injectFault({ ...at, fault: 'html-500', times: 1 });
  await harness.injectFault({ ...at, fault: 'too-many-429', retryAfter: 60, times: 9 });
  const pinia = withWorker(harness);
  await useConnections(pinia).load();
  const bulk = useBulk(pinia);
  const codes = strangers.map((code) => ({ code, line: 1, times: 1 }));
  const id = String(await bulk.start('', codes, [connectionId, demo.id]));
  const history = await opened(pinia);
  const groups = async (): Promise<VerdictWord[]> => {
    await history.load();
    return history.checks.map(({ group }) => group).sort();
  };
  await expect.poll(groups, { timeout: 20_000 }).toEqual(['fault', 'waiting', 'waiting']);
  await bulk.setState(id, 'cancelled');
  await expect.poll(groups).toEqual(['fault', 'not-checked', 'not-checked']);
  expect(bulk.counts.get(id)).toMatchObject({ fault: 1, 'not-checked': 2 });
});

test('what is recorded while the history is shown comes into it, about once a second at most, and a bulk check goes on in it', async () => {
  const pinia = withWorker(harness);
  const latest = vi.spyOn(harness.history, 'latest');
  const history = await opened(pinia);
  const bulk = useBulk(pinia);
  const end = history.follow();
  expect(history.entries).toEqual([]);
  await check(supported);
  await expect.poll(() => history.entries?.length).toBe(1);
  for (const code of [lapsed, unknown]) await check(code);
  await expect.poll(() => history.entries?.length, { timeout: 5000 }).toBe(3);
  expect(latest.mock.calls.length).toBeLessThanOrEqual(4);
  const codes = [supported, unknown].map((code, at) => ({ code, line: at + 1, times: 1 }));
  const id = String(await bulk.start('', codes, [connectionId]));
  await expect.poll(() => history.entries?.length, { timeout: 8000 }).toBe(5);
  expect(history.checks.filter(({ jobId }) => jobId === id)).toHaveLength(2);
  end();
  const reads = latest.mock.calls.length;
  await check(lapsed);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(latest.mock.calls.length).toBeLessThanOrEqual(reads + 1);
});

test('an open history is read no more once nothing is recorded', async () => {
  const pinia = withWorker(harness);
  const history = await opened(pinia);
  const end = history.follow();
  const codes = [supported, unknown].map((code, at) => ({ code, line: at + 1, times: 1 }));
  await useBulk(pinia).start('', codes, [connectionId]);
  await expect.poll(() => history.entries?.length, { timeout: 8000 }).toBe(2);
  await pause(2500);
  const latest = vi.spyOn(harness.history, 'latest');
  await pause(2500);
  expect(latest).not.toHaveBeenCalled();
  end();
});

describe('a row of the history is what the agent was told', () => {
  const told = async (count: number): Promise<VerdictWord[]> => {
    const history = await opened();
    await expect.poll(async () => (await history.load(), history.entries?.length)).toBe(count);
    return history.checks.map(({ group }) => group);
  };

  test('of a code that one of two connections answered from the cache', async () => {
    await harness.connect('/demo');
    await checkOnPage(supported);
    expect(await told(2)).toEqual(['supported']);
    harness.pass(minuteMs);
    // The not-found is not cached any more; the purchase is.
    await checkOnPage(supported);
    expect(await told(4)).toEqual(['supported', 'supported']);
    await checkOnPage(supported);
    expect(await told(4)).toHaveLength(2);
  });

  test('of a code that no connection knows, where one gave no answer', async () => {
    const { id: demo } = await harness.connect('/demo');
    await harness.injectFault({ fault: 'truncated', base: '/demo' });
    await checkOnPage(unknown);
    expect(await told(1)).toEqual(['fault']);
    const [entry] = await harness.history.latest(1);
    await harness.ask('history.again', { id: entry?.id ?? 0 });
    expect((await harness.history.latest(2)).map((each) => each.connectionId)).toContain(demo);
    expect(await told(3)).toEqual(['not-found', 'fault']);
  });
});

describe('the history', () => {
  test('shows an entry no more that is gone when its code is to be checked again', async () => {
    await check(supported);
    const history = await opened();
    const [entry] = history.entries ?? [];
    if (entry === undefined) throw new Error('There is no entry.');
    await harness.history.erase();
    expect(await history.checkAgain(entry, { ticket: '', note: '' })).toBeUndefined();
    expect(history.entries).toEqual([]);
  });

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
    await history.search(supported.replace('0', 'O'));
    expect(history.shown).toHaveLength(1);
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

  test('gives every check of one code', async () => {
    await check(supported);
    await check(lapsed);
    await check(supported);
    const history = await opened();
    const [latest, , first] = history.shown;
    if (latest === undefined) throw new Error('There is no entry.');
    expect(await history.ofCode(latest.codeId)).toEqual([latest, first]);
  });

  test('forgets one entry, or all of them', async () => {
    await check(supported);
    await check(lapsed);
    const history = await opened();
    const [newest, oldest] = history.shown;
    await history.remove([newest?.id ?? -1], 'The newest');
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
    await harness.history.add([
      { ...copy, question: 'before', checkedAt: entry.checkedAt - 10 * dayMs },
    ]);
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

  test('brings back what was forgotten or erased, as it was', async () => {
    await check(supported);
    await check(lapsed);
    const { history, undo } = await withUndo();
    await history.annotate(history.shown[0]?.id ?? -1, '', 'asked twice');
    const before = history.shown;
    await history.remove([before[0]?.id ?? -1], 'The newest');
    expect(undo.offer).toMatchObject({ list: 'checks', name: 'The newest' });
    // The page's table takes the focus.
    expect(undo.offer?.elementId).toBe('history-table');
    expect(await undo.accept()).toBe('table');
    expect(history.shown).toEqual(before);
    await history.erase();
    expect(await harness.history.latest(10)).toEqual([]);
    expect(undo.offer).toMatchObject({ list: 'history' });
    const restoring = undo.accept();
    // Thousands of entries take a moment to be restored, in which the page does not say that there are none.
    expect(history.shown).toEqual(before);
    await restoring;
    expect(history.shown).toEqual(before);
  });

  test.each([
    [0, 'history'],
    [7, 'older-checks'],
  ] as const)('brings back what %i days of history cost, and the days', async (days, list) => {
    await check(supported);
    const [entry] = await harness.history.latest(1);
    if (entry === undefined) throw new Error('There is no entry.');
    await harness.history.add([olderThan(entry)]);
    const { history, undo } = await withUndo();
    await history.change({ days });
    expect(undo.offer).toMatchObject({ list });
    await undo.accept();
    expect(history.shown).toHaveLength(2);
    expect(history.settings.days).toBe(30);
  });

  test('brings the days back alone: what was chosen since stays', async () => {
    await check(supported);
    const { history, undo } = await withUndo();
    await history.change({ days: 0 });
    await history.change({ codes: 'whole' });
    await undo.accept();
    expect(await harness.history.settings()).toMatchObject({ days: 30, codes: 'whole' });
    expect(history.settings).toMatchObject({ days: 30, codes: 'whole' });
  });

  test('changes one setting, and none that another page has changed', async () => {
    const history = await opened();
    await harness.history.changeSettings({ tickets: true });
    await history.change({ codes: 'whole' });
    const expected = { tickets: true, codes: 'whole' };
    expect(await harness.history.settings()).toMatchObject(expected);
    expect(history.settings).toMatchObject(expected);
  });

  test('keeps both of two changes that are made at once', async () => {
    const history = await opened();
    await Promise.all([history.change({ codes: 'whole' }), history.change({ tickets: true })]);
    const expected = { tickets: true, codes: 'whole' };
    expect(await harness.history.settings()).toMatchObject(expected);
    expect(history.settings).toMatchObject(expected);
  });

  test('brings back what several changes of the days cost, one after another', async () => {
    await check(supported);
    const [entry] = await harness.history.latest(1);
    if (entry === undefined) throw new Error('There is no entry.');
    const older = (days: number) => ({
      ...olderThan(entry),
      checkedAt: entry.checkedAt - days * dayMs,
    });
    await harness.history.add([older(4), older(6), older(8)]);
    const { history, undo } = await withUndo();
    for (const days of [9, 7, 5, 3]) await history.change({ days });
    expect(history.shown).toHaveLength(1);
    await undo.accept();
    expect(history.shown).toHaveLength(4);
    expect(history.settings.days).toBe(9);
  });

  test('offers no undo where nothing was removed', async () => {
    const { history, undo } = await withUndo();
    await history.erase();
    await history.change({ days: 7 });
    expect(undo.offer).toBeUndefined();
  });

  test('checks a code again, past the cache, and says why where it cannot', async () => {
    await harness.history.changeSettings({ codes: 'whole' });
    await check(supported);
    const history = await opened();
    const [entry] = history.shown;
    if (entry === undefined) throw new Error('There is no entry.');
    const typed = { ticket: '', note: '' };
    const again = await history.checkAgain(entry, typed);
    expect(again).toMatchObject(succeed({ code: supported, connectionId }));
    expect(history.shown).toHaveLength(2);
    await harness.injectFault({ base: '/market', fault: 'html-500', times: 9 });
    expect(await history.checkAgain(entry, typed)).toMatchObject({ ok: false });
    expect(history.shown).toHaveLength(2);
  });

  test('keeps the ticket and the note that are typed when it checks a code again', async () => {
    await harness.history.changeSettings({ codes: 'whole', tickets: true });
    await check(supported);
    const history = await opened();
    const [entry] = history.shown;
    if (entry === undefined) throw new Error('There is no entry.');
    const ticket = 'https://desk.example/1';
    await history.checkAgain(entry, { ticket: ` ${ticket} `, note: 'asked twice' });
    const [latest, first] = history.shown;
    expect(latest).toMatchObject({ ticket });
    expect(first).toMatchObject({ id: entry.id, ticket, note: 'asked twice' });
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
