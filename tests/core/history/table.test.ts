import { expect, test } from 'vitest';

import type { AnswerSummary } from '#core/check/check-report';
import type { HistoryEntry } from '#core/history/entry';
import {
  arrangeHistory,
  checksOf,
  connectionNamesOf,
  countEntries,
  foldRuns,
  type HistoryCheck,
  type HistoryRow,
  type HistorySortKey,
  isRun,
  selectEntries,
} from '#core/history/table';

const now = Date.UTC(2026, 10, 20);
const bought = (name: string, supportedUntil: number): AnswerSummary => ({
  kind: 'purchase',
  purchase: {
    item: { id: 1, name, version: '1' },
    licenseType: 'Regular',
    price: 1,
    currency: 'EUR',
    downloaded: true,
    date: 0,
    supportedUntil,
  },
});
const notFound: AnswerSummary = { kind: 'not-found', msg: '', key: 'good', proven: true };
const entry = (id: number, code: string, connectionName: string, answer: AnswerSummary) =>
  ({
    id,
    codeId: '',
    code,
    connectionId: 'c',
    connectionName,
    by: 'agent',
    answer,
    checkedAt: now - id,
    others: [],
  }) satisfies HistoryCheck;
/** The latest first, as the store hands them over. */
const entries = [
  entry(0, 'b', 'Market', notFound),
  entry(1, 'a', 'demo', bought('Zebra', now + 1)),
  entry(2, 'C', 'Market', bought('apple', now - 3)),
];
const nameOf = (row: HistoryRow): number | string => (isRun(row) ? row.jobId : row.id);
const by = (key: HistorySortKey, direction: 'ascending' | 'descending' = 'ascending') =>
  arrangeHistory(entries, { key, direction }).map(nameOf);

test('the history is sorted by any column, letters regardless of case', () => {
  expect(by('code')).toEqual([1, 0, 2]);
  expect(by('item', 'descending')).toEqual([1, 2, 0]);
  expect(by('connection')).toEqual([1, 0, 2]);
  expect(by('when')).toEqual([2, 1, 0]);
});

test('each entry is judged at the moment it was checked', () => {
  expect(by('verdict')).toEqual([1, 2, 0]);
});

test('without a sort the latest comes first', () => {
  expect(arrangeHistory(entries, undefined)).toEqual(entries);
});

const inRun = (jobId: string, row: HistoryEntry, codeId = row.code): HistoryEntry => ({
  ...row,
  codeId,
  by: 'bulk',
  jobId,
});

test('the checks of one bulk run are one row, where the latest of them stands', () => {
  const [first, second, third] = entries.map((row) => inRun('run', row));
  const alone = inRun('other', entry(7, 'x', 'Market', notFound));
  if (!first || !second || !third) throw new Error('There are three.');
  const single = entry(8, 'y', 'Market', notFound);
  const rows = foldRuns([single, first, alone, second, third]);
  expect(rows.map(nameOf)).toEqual([8, 'run', 7]);
  const [, run] = rows;
  if (run === undefined || !isRun(run)) throw new Error('It is a run.');
  expect(run.entries.map(({ id }) => id)).toEqual([0, 1, 2]);
  expect(run.checkedAt).toBe(first.checkedAt);
});

test('a check at two connections is one row with the other’s answer in it, and names both where neither knows the code', () => {
  const genuine = bought('Zebra', now);
  const missing = askedAt(2, 'm', now);
  const [found] = foldRuns([missing, askedAt(1, 'd', now - 1000, genuine)]);
  expect(found).toMatchObject({ id: 1, others: [{ id: 2 }] });
  expect(found && connectionNamesOf(found)).toEqual(['d']);
  const nowhere = foldRuns([missing, askedAt(1, 'd', now - 1000)]);
  expect(nowhere.map(connectionNamesOf)).toEqual([['d', 'm']]);
});

test('a bulk run of one code stays a check', () => {
  const first = inRun('run', askedAt(2, 'm', now), 'one');
  const second = inRun('run', askedAt(1, 'd', now, bought('Zebra', now)), 'one');
  expect(foldRuns([first, second]).map(nameOf)).toEqual([1]);
});

test('a run counts each code once, by the best answer of its connections', () => {
  const run = {
    jobId: 'run',
    checkedAt: now,
    entries: [
      inRun('run', entry(0, 'a', 'Market', notFound), 'one'),
      inRun('run', entry(1, 'a', 'Demo', bought('Zebra', now)), 'one'),
      inRun('run', entry(2, 'b', 'Demo', notFound), 'two'),
    ],
  };
  expect(countEntries(checksOf(run.entries))).toMatchObject({ supported: 1, 'not-found': 1 });
});

const askedAt = (
  id: number,
  connectionId: string,
  checkedAt: number,
  answer: AnswerSummary = notFound,
): HistoryEntry => ({
  ...entry(id, 'a', connectionId, answer),
  connectionId,
  connectionName: connectionId,
  checkedAt,
});

test('a code that one connection knows is not counted as not found at another', () => {
  const genuine = bought('Zebra', now);
  const ids = (...all: HistoryEntry[]): number[] => checksOf(all).map(({ id }) => id);
  expect(ids(askedAt(2, 'm', now), askedAt(1, 'd', now - 1000, genuine))).toEqual([1]);
  expect(ids(askedAt(2, 'm', now), askedAt(1, 'd', now - 1000))).toEqual([2]);
});

test('answers to different questions about a code count each', () => {
  const hour = 3_600_000;
  const ids = (...all: HistoryEntry[]): number[] => checksOf(all).map(({ id }) => id);
  const genuine = bought('Zebra', now);
  expect(ids(askedAt(2, 'd', now), askedAt(1, 'd', now - 1000, genuine))).toEqual([2, 1]);
  expect(ids(askedAt(2, 'm', now), askedAt(1, 'd', now - hour, genuine))).toEqual([2, 1]);
  const [first, second] = [askedAt(2, 'm', now), askedAt(1, 'd', now, genuine)];
  expect(ids(inRun('one', first, 'x'), inRun('two', second, 'x'))).toEqual([2, 1]);
  expect(ids(first, { ...second, codeId: 'y' })).toEqual([2, 1]);
});

test('a run stands behind the verdicts, codes and items, and among the moments', () => {
  const run = { jobId: 'run', entries: [], checkedAt: now - 1.5 };
  const rows = [run, ...entries];
  for (const key of ['verdict', 'code', 'item'] as const)
    expect(arrangeHistory(rows, { key, direction: 'ascending' }).map(nameOf).at(-1)).toBe('run');
  const moments = arrangeHistory(rows, { key: 'when', direction: 'descending' });
  expect(moments.map(nameOf)).toEqual([0, 1, 'run', 2]);
});

test('entries are selected by verdict, connection, item and bulk run', () => {
  const all = [...entries, inRun('run', { ...entry(3, 'd', 'Demo', notFound), connectionId: 'd' })];
  const ids = (view: Parameters<typeof selectEntries>[1]) =>
    selectEntries(all, view).map(({ id }) => id);
  expect(ids({})).toEqual([0, 1, 2, 3]);
  expect(ids({ verdict: 'not-found' })).toEqual([0, 3]);
  expect(ids({ verdict: 'not-found', connectionId: 'd' })).toEqual([3]);
  expect(ids({ connectionId: 'c', itemId: 1 })).toEqual([1, 2]);
  expect(ids({ connectionId: 'd', itemId: 1 })).toEqual([]);
  expect(ids({ jobId: 'run' })).toEqual([3]);
});
