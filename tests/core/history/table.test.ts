import { expect, test } from 'vitest';

import type { AnswerSummary } from '#core/history/answer-summary';
import type { HistoryEntry } from '#core/history/entry';
import { arrangeHistory, type HistorySortKey } from '#core/history/table';

const now = Date.UTC(2026, 10, 20);
const bought = (name: string, supportedUntil: number): AnswerSummary => ({
  kind: 'purchase',
  purchase: {
    ...{ item: { id: 1, name, version: '1' }, licenseType: 'Regular', price: 1, currency: 'EUR' },
    ...{ downloaded: true, date: 0, supportedUntil },
  },
});
const notFound: AnswerSummary = { kind: 'not-found', msg: '', key: 'good', proven: true };
const entry = (id: number, code: string, connectionName: string, answer: AnswerSummary) =>
  ({
    ...{ id, codeId: '', code, connectionId: 'c', connectionName, by: 'agent', answer },
    checkedAt: now - id,
  }) satisfies HistoryEntry;
/** The latest first, as the store hands them over. */
const entries = [
  entry(0, 'b', 'Market', notFound),
  entry(1, 'a', 'demo', bought('Zebra', now + 1)),
  entry(2, 'C', 'Market', bought('apple', now - 3)),
];
const by = (key: HistorySortKey, direction: 'ascending' | 'descending' = 'ascending'): number[] =>
  arrangeHistory(entries, { key, direction }).map(({ id }) => id);

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
