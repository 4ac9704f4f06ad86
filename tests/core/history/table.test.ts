import { expect, test } from 'vitest';

import type { AnswerSummary } from '#core/check/check-report';
import type { HistoryEntry } from '#core/history/entry';
import {
  arrangeHistory,
  checksOf,
  codesOf,
  connectionNamesOf,
  countChecks,
  foldRuns,
  groupThen,
  type HistoryRow,
  type HistorySortKey,
  isRun,
  selectChecks,
  verdictsOf,
  withDays,
} from '#core/history/table';

const now = Date.UTC(2026, 10, 20);
const day = 86_400_000;
const bought = (name: string, supportedUntil: number, more: object = {}): AnswerSummary => ({
  kind: 'purchase',
  purchase: {
    item: { id: 1, name, version: '1' },
    licenseType: 'Regular',
    price: 1,
    currency: 'EUR',
    downloaded: true,
    date: 0,
    supportedUntil,
    ...more,
  },
});
const notFound: AnswerSummary = { kind: 'not-found', msg: '', key: 'good', proven: true };
const genuine = bought('Zebra', now + day);
let id = 0;
/** An answer to a question of its own about the code `a`, at the connection `m`. */
const answer = (more: Partial<HistoryEntry> = {}): HistoryEntry => {
  id += 1;
  const { connectionId = 'm' } = more;
  return {
    id,
    codeId: more.code ?? 'a',
    code: 'a',
    connectionId,
    connectionName: connectionId,
    by: 'agent',
    question: String(id),
    answer: notFound,
    checkedAt: now - id,
    ...more,
  };
};
const inRun = (jobId: string, code: string, more: Partial<HistoryEntry> = {}): HistoryEntry =>
  answer({ by: 'bulk', jobId, question: jobId, code, ...more });
const rowsOf = (...entries: HistoryEntry[]): HistoryRow[] => foldRuns(codesOf(checksOf(entries)));
const nameOf = (row: HistoryRow): string => (isRun(row) ? row.jobId : row.code);

/** The latest first, as the store hands them over. */
const entries = [
  answer({ code: 'b', connectionName: 'Market', answer: notFound }),
  answer({ code: 'a', connectionName: 'demo', answer: genuine }),
  answer({ code: 'C', connectionName: 'Market', answer: bought('apple', now - day) }),
];
const by = (key: HistorySortKey, direction: 'ascending' | 'descending' = 'ascending') =>
  arrangeHistory(rowsOf(...entries), { key, direction }).map(nameOf);

test('the history is sorted by any column, letters regardless of case', () => {
  expect(by('code')).toEqual(['a', 'b', 'C']);
  expect(by('item', 'descending')).toEqual(['a', 'C', 'b']);
  expect(by('connection')).toEqual(['a', 'b', 'C']);
  expect(by('when')).toEqual(['C', 'a', 'b']);
  expect(by('verdict')).toEqual(['a', 'C', 'b']);
  expect(arrangeHistory(rowsOf(...entries), undefined).map(nameOf)).toEqual(['b', 'a', 'C']);
});

test('what several connections answered to one question is one check, by the best of the answers', () => {
  const [check, ...more] = checksOf([
    answer({ connectionId: 'd', question: 'q' }),
    answer({ connectionId: 'm', question: 'q', answer: genuine }),
  ]);
  expect(more).toEqual([]);
  expect(check).toMatchObject({ connectionId: 'm', others: [{ connectionId: 'd' }] });
  expect(check && groupThen(check)).toBe('supported');
});

test('answers to different questions are checks of their own, however near they are', () => {
  const at = { checkedAt: now };
  const twice = [answer({ ...at, connectionId: 'd' }), answer({ ...at, answer: genuine })];
  expect(checksOf(twice).map(groupThen)).toEqual(['not-found', 'supported']);
  const ofTwoCodes = [answer({ question: 'q' }), answer({ question: 'q', code: 'b' })];
  expect(checksOf(ofTwoCodes)).toHaveLength(2);
});

test('that no connection knows a code is no verdict while one that was asked gave no answer', () => {
  const asked = ['m', 'd'];
  const missing = answer({ question: 'q', asked });
  expect(checksOf([missing]).map(groupThen)).toEqual(['fault']);
  const other = answer({ question: 'q', asked, connectionId: 'd' });
  expect(checksOf([other, missing]).map(groupThen)).toEqual(['not-found']);
  expect(checksOf([{ ...missing, answer: genuine }]).map(groupThen)).toEqual(['supported']);
});

test('a code is one row, as its newest check shows it, with all its checks in it', () => {
  const support = bought('Zebra', now - 1.5 * day);
  const [row, ...more] = codesOf(
    checksOf([
      answer({ answer: support, checkedAt: now }),
      answer({ answer: support, checkedAt: now - day }),
      answer({ answer: support, checkedAt: now - 2 * day }),
      answer({ checkedAt: now - 3 * day }),
    ]),
  );
  if (row === undefined) throw new Error('There is a row.');
  expect(more).toEqual([]);
  expect(groupThen(row)).toBe('lapsed');
  expect(row.checks).toHaveLength(4);
  expect(verdictsOf(row).map(groupThen)).toEqual(['lapsed', 'supported', 'not-found']);
});

test('what a marketplace says against a purchase is counted by its own name', () => {
  const refunded = bought('Zebra', now + day, { problem: { kind: 'refunded' } });
  const counts = countChecks(checksOf([answer({ answer: refunded }), answer({ answer: genuine })]));
  expect(counts).toMatchObject({ refunded: 1, supported: 1, 'no-support': 0 });
});

test('the codes checked last in one bulk run are one row, where the latest of them stands', () => {
  const rows = rowsOf(
    answer({ code: 'y' }),
    inRun('run', 'b', { checkedAt: now - 5 }),
    inRun('other', 'x'),
    inRun('run', 'c'),
    inRun('run', 'y'),
    inRun('run', 'd'),
  );
  expect(rows.map(nameOf)).toEqual(['y', 'run', 'x']);
  const [code, run] = rows;
  if (run === undefined || !isRun(run)) throw new Error('It is a run.');
  expect(code).toMatchObject({ checks: [{ by: 'agent' }, { by: 'bulk' }] });
  expect(run.codes.map((each) => each.code)).toEqual(['b', 'c', 'd']);
  expect(run.checkedAt).toBe(now - 5);
});

test('a row names the connection that knows its code, or all that do not', () => {
  const missing = answer({ connectionId: 'm', question: 'q' });
  const found = answer({ connectionId: 'd', question: 'q', answer: genuine });
  expect(rowsOf(missing, found).map(connectionNamesOf)).toEqual([['d']]);
  expect(rowsOf(missing, { ...found, answer: notFound }).map(connectionNamesOf)).toEqual([
    ['d', 'm'],
  ]);
});

test('a run stands behind the verdicts, codes and items, and among the moments', () => {
  const rows: HistoryRow[] = [
    { jobId: 'run', codes: [], checkedAt: (entries[1]?.checkedAt ?? 0) - 0.5 },
    ...rowsOf(...entries),
  ];
  for (const key of ['verdict', 'code'] as const)
    for (const direction of ['ascending', 'descending'] as const)
      expect(arrangeHistory(rows, { key, direction }).map(nameOf).at(-1)).toBe('run');
  expect(arrangeHistory(rows, { key: 'item', direction: 'ascending' })[0]).not.toBe(rows[0]);
  const moments = arrangeHistory(rows, { key: 'when', direction: 'descending' });
  expect(moments.map(nameOf)).toEqual(['b', 'a', 'run', 'C']);
});

test('a day counts the codes that were checked last on it', () => {
  const rows = rowsOf(
    answer({ code: 'b', checkedAt: now }),
    inRun('run', 'c', { checkedAt: now - 1 }),
    inRun('run', 'd', { checkedAt: now - 1 }),
    answer({ code: 'b', checkedAt: now - day }),
    answer({ code: 'x', checkedAt: now - day, answer: genuine }),
  );
  const headings = withDays(rows, (at) => Math.floor(at / day)).filter((row) => 'day' in row);
  expect(headings).toMatchObject([
    { day: now / day, codes: 1 },
    { day: now / day - 1, codes: 3, counts: { supported: 1, 'not-found': 2 } },
  ]);
});

test('checks are selected by the connection that gave the verdict, by item, bulk run and day', () => {
  const asked = { code: 'z', question: 'q' };
  const all = checksOf([
    ...entries,
    inRun('run', 'd', { connectionId: 'd' }),
    answer({ ...asked, connectionId: 'd' }),
    answer({ ...asked, connectionId: 'm', answer: genuine, checkedAt: now - 3 * day }),
  ]);
  const codes = (view: Parameters<typeof selectChecks>[1]) =>
    selectChecks(all, view, (at) => Math.ceil(at / day)).map(({ code }) => code);
  expect(codes({})).toEqual(['b', 'a', 'C', 'd', 'z']);
  // A code that another connection knows is not shown as one that this one does not.
  expect(codes({ connectionId: 'd' })).toEqual(['d']);
  expect(codes({ connectionId: 'm', itemId: 1 })).toEqual(['a', 'C', 'z']);
  expect(codes({ jobId: 'run' })).toEqual(['d']);
  const last = now / day;
  expect(codes({ days: { first: last - 4, last: last - 1 } })).toEqual(['z']);
});
