import 'fake-indexeddb/auto';

import { beforeEach, describe, expect, it } from 'vitest';

import {
  createHistoryStore,
  createPageHistory,
  type NewEntry,
} from '#adapters/storage/history-store';
import { createTables } from '#adapters/storage/tables';
import { checksOf, monthReportOf } from '#core/history/index';
import { limitHistory } from '#core/preferences/index';
import { aroundMonth, createZone, dayMs, hourMs } from '#core/time/index';

const [october29, november3] = [Date.UTC(2026, 9, 29), Date.UTC(2026, 10, 3)];
const notFound = { kind: 'not-found', msg: '', key: 'good', proven: true } as const;
const found = {
  kind: 'purchase',
  purchase: {
    item: { id: 7, name: 'Lantern', version: '2' },
    licenseType: 'Regular License',
    price: 19,
    currency: 'EUR',
    downloaded: true,
    date: 0,
    supportedUntil: Date.UTC(2027, 0, 1),
  },
} as const;

/** Makes the answer of one connection in a bulk check that asks two. */
function answerOf(
  connectionId: string,
  checkedAt: number,
  answer: NewEntry['answer'],
  codeId = 'a',
): NewEntry {
  return {
    codeId,
    code: `${codeId}…`,
    connectionId,
    connectionName: connectionId,
    checkedAt,
    answer,
    by: 'bulk',
    question: 'job',
    jobId: 'job',
    asked: ['market', 'demo'],
  };
}

let store: ReturnType<typeof createHistoryStore>;
let page: ReturnType<typeof createPageHistory>;
beforeEach(() => {
  const tables = createTables(crypto.randomUUID());
  store = createHistoryStore(tables);
  page = createPageHistory(tables);
});

const verdicts = async (count = 99) => checksOf(await page.latest(count)).map(({ group }) => group);

describe('a check of two connections whose answers are far apart', () => {
  it('counts in the month in which the last of them came, by its verdict', async () => {
    await store.add([answerOf('market', october29, found), answerOf('demo', november3, notFound)]);
    const counts = ['2026-10', '2026-11'].map(async (month) => {
      const entries = await page.latest(Infinity, aroundMonth(month));
      const { checks, verdicts: counted } = monthReportOf(entries, month, createZone('UTC'), true);
      return [checks, counted.supported, counted.fault];
    });
    expect(await Promise.all(counts)).toEqual([
      [0, 0, 0],
      [1, 1, 0],
    ]);
  });

  it('has its verdict where the page has no room for all answers', async () => {
    const codes = ['a', 'b', 'c'];
    await store.add(codes.map((code, at) => answerOf('market', october29 + at, found, code)));
    await store.add(codes.map((code, at) => answerOf('demo', november3 + at, notFound, code)));
    expect(await verdicts(4)).toEqual(['supported', 'supported', 'supported']);
  });

  it('is kept whole for as long as its last answer, and goes whole', async () => {
    await store.add([answerOf('market', october29, found), answerOf('demo', november3, notFound)]);
    const limitAt = (now: number) => limitHistory(store, { days: 30, wholeDays: 7 }, now);
    await limitAt(november3 + 30 * dayMs - hourMs);
    expect(await verdicts()).toEqual(['supported']);
    await limitAt(november3 + 30 * dayMs + hourMs);
    expect(await page.latest(9)).toEqual([]);
  });
});

describe('an undo', () => {
  const whole = {
    ...answerOf('market', october29, notFound),
    sealed: { iv: 'i', data: 'whole code' },
  };

  it('brings back no whole code that has been masked for good since', async () => {
    await store.add([whole]);
    const undo = await page.erase();
    await limitHistory(page, { days: 90, wholeDays: 0 }, october29 + hourMs);
    await undo?.();
    const [entry] = await page.latest(9);
    expect(entry).toMatchObject({ code: whole.code });
    expect(entry).not.toHaveProperty('sealed');
  });

  it('brings back a whole code that has not', async () => {
    await store.add([whole]);
    const undo = await page.erase();
    await limitHistory(page, { days: 90, wholeDays: 7 }, october29 + hourMs);
    await undo?.();
    expect(await page.latest(9)).toMatchObject([{ sealed: whole.sealed }]);
  });

  it('brings back no entry of a connection that is gone for good since', async () => {
    await store.add([
      answerOf('market', october29, found),
      answerOf('demo', october29, notFound, 'b'),
    ]);
    const undo = await page.erase();
    await store.forgetConnection('market');
    await undo?.();
    expect(await page.latest(9)).toMatchObject([{ connectionId: 'demo' }]);
  });
});
