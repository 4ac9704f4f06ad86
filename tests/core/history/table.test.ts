import { expect, test } from 'vitest';

import type { AnswerSummary } from '#core/check/index';
import type { HistoryEntry } from '#core/history/entry';
import type { VerdictWord } from '#core/verdict/index';
import { checksOf, type HistoryCheck, type HistoryRow, historyTable } from '#core/history/table';

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
type View = Parameters<typeof historyTable>[1];
type Sorting = NonNullable<View['sort']>;
const dayOf = (at: number): number => Math.floor(at / day);
const tableOf = (all: HistoryEntry[], view: Partial<View> = {}) =>
  historyTable(checksOf(all), { foldsRuns: true, dayOf, ...view });
const rowsOf = (...all: HistoryEntry[]): HistoryRow[] =>
  tableOf(all).rows.filter(({ kind }) => kind !== 'day');
const nameOf = (row: HistoryRow): string =>
  row.kind === 'code' ? row.code : row.kind === 'run' ? row.jobId : String(row.day);
const groupOf = ({ group }: HistoryCheck): string => group;

/** The latest first, as the store hands them over. */
const entries = [
  answer({ code: 'b', connectionName: 'Market', answer: notFound }),
  answer({ code: 'a', connectionName: 'demo', answer: genuine }),
  answer({ code: 'C', connectionName: 'Market', answer: bought('apple', now - day) }),
];
const by = (key: Sorting['key'], direction: Sorting['direction'] = 'ascending') =>
  tableOf(entries, { sort: { key, direction } }).rows.map(nameOf);

test('the history is sorted by any column, letters regardless of case', () => {
  expect(by('code')).toEqual(['a', 'b', 'C']);
  expect(by('item', 'descending')).toEqual(['a', 'C', 'b']);
  expect(by('connection')).toEqual(['a', 'b', 'C']);
  expect(by('when')).toEqual(['C', 'a', 'b']);
  expect(by('verdict')).toEqual(['a', 'C', 'b']);
  expect(rowsOf(...entries).map(nameOf)).toEqual(['b', 'a', 'C']);
});

test('what several connections answered to one question is one check, by the best of the answers', () => {
  const [check, ...more] = checksOf([
    answer({ connectionId: 'd', question: 'q' }),
    answer({ connectionId: 'm', question: 'q', answer: genuine }),
  ]);
  expect(more).toEqual([]);
  expect(check).toMatchObject({ entries: [{ connectionId: 'm' }, { connectionId: 'd' }] });
  expect(check?.group).toBe('supported');
});

test('an answer that was kept counts until its connection gives a new one, and once', () => {
  const kept = { question: 'q', kept: true as const, answer: genuine };
  const asked = answer({ connectionId: 'd', question: 'q' });
  const both = [asked, answer({ ...kept, id: 7 }), answer({ ...kept, id: 8 })];
  expect(checksOf(both)).toMatchObject([{ group: 'supported', entries: [{ id: 8 }, {}] }]);
  const answered = checksOf([answer({ question: 'q', id: 1 }), ...both]);
  expect(answered).toMatchObject([{ group: 'not-found', entries: [{}, {}] }]);
});

test('a check has the moment of its last answer, whichever of them gives the verdict', () => {
  const checks = checksOf([
    answer({ connectionId: 'd', question: 'q', checkedAt: now }),
    answer({ checkedAt: now - day }),
    answer({ question: 'q', answer: genuine, checkedAt: now - 2 * day }),
  ]);
  expect(checks).toMatchObject([
    { group: 'supported', connectionId: 'm', checkedAt: now },
    { group: 'not-found', checkedAt: now - day },
  ]);
});

test('answers to different questions are checks of their own, however near they are', () => {
  const at = { checkedAt: now };
  const twice = [answer({ ...at, connectionId: 'd' }), answer({ ...at, answer: genuine })];
  expect(checksOf(twice).map(groupOf)).toEqual(['not-found', 'supported']);
  const ofTwoCodes = [answer({ question: 'q' }), answer({ question: 'q', code: 'b' })];
  expect(checksOf(ofTwoCodes)).toHaveLength(2);
});

test('that no connection knows a code is no verdict while one that was asked gave no answer', () => {
  const asked = ['m', 'd'];
  const missing = answer({ question: 'q', asked });
  expect(checksOf([missing]).map(groupOf)).toEqual(['fault']);
  const ofJob = { ...missing, jobId: 'job' };
  const within = (...open: [string, VerdictWord][]) =>
    checksOf([ofJob], ({ jobId = '' }) => new Map(open).get(jobId)).map(groupOf);
  expect(within(['job', 'waiting'])).toEqual(['waiting']);
  expect(within(['job', 'not-checked'])).toEqual(['not-checked']);
  expect(within(['another', 'waiting'])).toEqual(['fault']);
  const other = answer({ question: 'q', asked, connectionId: 'd' });
  expect(checksOf([other, missing]).map(groupOf)).toEqual(['not-found']);
  expect(checksOf([{ ...missing, answer: genuine }]).map(groupOf)).toEqual(['supported']);
});

test('a check without an answer names the connection that gave none, where another check tells its name', () => {
  const open = answer({ question: 'q', asked: ['m', 'd'] });
  const named = answer({ code: 'b', connectionId: 'd', connectionName: 'Market' });
  expect(checksOf([open, named])[0]?.connectionNames).toEqual(['Market']);
  expect(checksOf([open])[0]?.connectionNames).toEqual([]);
  expect(checksOf([open])[0]?.silent).toEqual(['d']);
});

test('a code is one row, as its newest check shows it, with all its checks in it', () => {
  const support = bought('Zebra', now - 1.5 * day);
  const [row, ...more] = tableOf([
    answer({ answer: support, checkedAt: now }),
    answer({ answer: support, checkedAt: now - day }),
    answer({ answer: support, checkedAt: now - 2 * day }),
    answer({ checkedAt: now - 3 * day }),
  ]).codes;
  if (row === undefined) throw new Error('There is a row.');
  expect(more).toEqual([]);
  expect(row.group).toBe('lapsed');
  expect(row.checks).toHaveLength(4);
  expect(row.verdicts.map(groupOf)).toEqual(['lapsed', 'supported', 'not-found']);
});

test('what a marketplace says against a purchase is counted by its own name', () => {
  const refunded = bought('Zebra', now + day, { problem: { kind: 'refunded' } });
  const { counts } = tableOf([
    answer({ answer: refunded }),
    answer({ code: 'b', answer: genuine }),
  ]);
  expect(counts).toMatchObject({ refunded: 1, supported: 1, 'no-support': 0 });
});

test('a bulk run keeps its codes, what they came to and its place, though they were checked again', () => {
  const rows = rowsOf(
    inRun('later', 'a', { answer: genuine, checkedAt: now }),
    inRun('later', 'b', { checkedAt: now }),
    answer({ code: 'c', answer: genuine, checkedAt: now - 1 }),
    ...['a', 'b', 'c', 'd'].map((code) => inRun('run', code, { checkedAt: now - 2 })),
  );
  expect(rows.map(nameOf)).toEqual(['later', 'c', 'run']);
  const [later, , run] = rows;
  expect(later).toMatchObject({ again: 0, counts: { supported: 1, 'not-found': 1 } });
  expect(run).toMatchObject({ again: 3, counts: { supported: 0, 'not-found': 4 } });
});

test('a day counts a code once that two of its bulk runs had, as it came to be', () => {
  const [day] = tableOf([
    inRun('later', 'a', { answer: genuine, checkedAt: now + 3 }),
    inRun('later', 'b', { checkedAt: now + 2 }),
    inRun('run', 'a', { checkedAt: now + 1 }),
    inRun('run', 'c', { checkedAt: now }),
  ]).rows;
  expect(day).toMatchObject({ codes: 3, counts: { supported: 1, 'not-found': 2 } });
});

test('the codes of one bulk run are one row, where it began, or else where the first of them was checked', () => {
  const all = [
    answer({ code: 'y', checkedAt: now - 1 }),
    inRun('run', 'b', { checkedAt: now - 2 }),
    inRun('other', 'x', { checkedAt: now - 3 }),
    inRun('run', 'c', { checkedAt: now - 4 }),
    inRun('run', 'y', { checkedAt: now - 5 }),
    inRun('run', 'd', { checkedAt: now - 6 }),
  ];
  const rows = rowsOf(...all);
  expect(rows.map(nameOf)).toEqual(['y', 'x', 'run']);
  const [code, , run] = rows;
  if (run?.kind !== 'run') throw new Error('It is a run.');
  expect(code).toMatchObject({ checks: [{ by: 'agent' }, { by: 'bulk' }] });
  expect(run.codes.map((each) => each.code)).toEqual(['b', 'c', 'y', 'd']);
  expect(run.checkedAt).toBe(now - 6);

  const began = new Map([['run', now - 2000]]);
  expect(tableOf(all, { began }).rows.at(-1)).toMatchObject({ checkedAt: now - 2000 });
});

test('a run that goes on after midnight has a row under each of its days, which a filter by that day shows as it is', () => {
  const all = [
    inRun('run', 'a', { checkedAt: now + 3 }),
    inRun('run', 'b', { checkedAt: now + 2 }),
    inRun('run', 'c', { checkedAt: now - 2 }),
    inRun('run', 'd', { checkedAt: now - 3 }),
    inRun('run', 'e', { checkedAt: now - 4 }),
  ];
  const began = new Map([['run', now - 2000]]);
  const { rows } = tableOf(all, { began });
  expect(rows).toMatchObject([
    { kind: 'day', codes: 2 },
    { kind: 'run', codes: [{ code: 'a' }, { code: 'b' }], checkedAt: now + 2, wentOn: false },
    { kind: 'day', codes: 3 },
    { kind: 'run', codes: [{}, {}, {}], checkedAt: now - 2000, wentOn: true },
  ]);
  for (const at of [0, 2]) {
    const heading = rows[at];
    if (heading?.kind !== 'day') throw new Error('It is a day.');
    const days = { first: heading.day, last: heading.day };
    expect(tableOf(all, { began, days }).rows).toMatchObject([
      heading,
      { ...rows[at + 1], wentOn: false },
    ]);
  }
  // Without the headings of days, and in its dialog, it is one row.
  const [whole] = tableOf(all, { began, sort: { key: 'when', direction: 'ascending' } }).rows;
  expect(whole).toMatchObject({ kind: 'run', codes: { length: 5 }, checkedAt: now - 2000 });
  expect(tableOf(all, { began, isWhole: true }).rows).toHaveLength(2);
});

test('a row names the connection that knows its code, or all that do not', () => {
  const missing = answer({ connectionId: 'm', question: 'q' });
  const found = answer({ connectionId: 'd', question: 'q', answer: genuine });
  const namesOf = (...all: HistoryEntry[]) =>
    tableOf(all).codes.map((code) => code.connectionNames);
  expect(namesOf(missing, found)).toEqual([['d']]);
  expect(namesOf(missing, { ...found, answer: notFound })).toEqual([['d', 'm']]);
});

test('the answers of the other connections stay when one connection alone is asked again', () => {
  const before = [
    answer({ question: 'q', answer: genuine }),
    answer({ question: 'q', connectionId: 'n' }),
    answer({ question: 'older', connectionId: 'n', answer: genuine }),
  ];
  const again = answer({ answer: genuine, checkedAt: now });
  const othersAfter = (all: HistoryEntry[]) => tableOf(all).codes[0]?.others;
  expect(othersAfter(before)).toEqual([before[1]]);
  expect(othersAfter([again, ...before])).toEqual([before[1]]);
  expect(othersAfter([again])).toEqual([]);
});

test('a run stands behind the verdicts, codes and items, and among the moments', () => {
  const at = { checkedAt: (entries[1]?.checkedAt ?? 0) - 0.5 };
  const all = [...entries, inRun('run', 'y', at), inRun('run', 'z', at)];
  const sortedBy = (key: Sorting['key'], direction: Sorting['direction']) =>
    tableOf(all, { sort: { key, direction } }).rows.map(nameOf);
  for (const key of ['verdict', 'code', 'item'] as const)
    for (const direction of ['ascending', 'descending'] as const)
      expect(sortedBy(key, direction).at(key === 'item' ? -2 : -1)).toBe(
        key === 'item' ? 'b' : 'run',
      );
  expect(sortedBy('when', 'descending')).toEqual(['b', 'a', 'run', 'C']);
});

test('a day counts the codes that were checked last on it', () => {
  const { rows } = tableOf([
    answer({ code: 'b', checkedAt: now }),
    inRun('run', 'c', { checkedAt: now - 1 }),
    inRun('run', 'd', { checkedAt: now - 1 }),
    answer({ code: 'b', checkedAt: now - day }),
    answer({ code: 'x', checkedAt: now - day, answer: genuine }),
  ]);
  const headings = rows.filter(({ kind }) => kind === 'day');
  expect(headings).toMatchObject([
    { day: now / day, codes: 1 },
    { day: now / day - 1, codes: 3, counts: { supported: 1, 'not-found': 2 } },
  ]);
});

test('checks are selected by the connection that gave the verdict, by item, bulk run and day', () => {
  const asked = { code: 'z', question: 'q', checkedAt: now - 3 * day };
  const all = [
    ...entries,
    inRun('run', 'd', { connectionId: 'd' }),
    answer({ ...asked, connectionId: 'd' }),
    answer({ ...asked, connectionId: 'm', answer: genuine }),
  ];
  const codes = (view: Partial<View>) =>
    tableOf(all, { dayOf: (at) => Math.ceil(at / day), ...view }).codes.map(({ code }) => code);
  expect(codes({})).toEqual(['b', 'a', 'C', 'd', 'z']);
  // A code that another connection knows is not shown as one that this one does not.
  expect(codes({ connectionId: 'd' })).toEqual(['d']);
  expect(codes({ connectionId: 'm', itemId: 1 })).toEqual(['a', 'C', 'z']);
  expect(codes({ jobId: 'run' })).toEqual(['d']);
  const last = now / day;
  expect(codes({ days: { first: last - 4, last: last - 1 } })).toEqual(['z']);
});

test('what a bulk check has not settled is no check yet: its row stands for it, from the first answer on', () => {
  const asked = ['m', 'd'];
  const open = ['a', 'b', 'c'].map((code) =>
    inRun('run', code, { asked, question: `run ${code}` }),
  );
  const [first, second] = open;
  if (first === undefined || second === undefined) throw new Error('There are three.');
  const start = now - 2000;
  const unasked = (): VerdictWord => 'waiting';
  const tableWith = (some: HistoryEntry[]) =>
    historyTable(checksOf(some, unasked), {
      foldsRuns: true,
      began: new Map([['run', start]]),
      unfinished: new Set(['run']),
      dayOf,
    });
  const none = tableWith(open);
  expect(none.codes).toEqual([]);
  expect(none.rows).toMatchObject([
    { kind: 'day', codes: 0 },
    { kind: 'run', jobId: 'run', codes: [], connectionNames: [], checkedAt: start },
  ]);
  const known = { ...second, answer: genuine };
  const one = tableWith([first, known]);
  expect(one.counts).toMatchObject({ supported: 1, waiting: 0 });
  expect(one.rows).toMatchObject([
    { kind: 'day', codes: 1 },
    { kind: 'run', codes: [{ code: 'b' }], checkedAt: start },
  ]);
  expect(tableWith([known]).rows).toMatchObject([{ kind: 'day' }, { kind: 'run' }]);
  // Nothing is recorded of it, or no longer.
  expect(tableWith([]).rows).toEqual([]);
  const before = answer({ code: 'a', answer: genuine });
  expect(tableWith([first, before]).codes).toMatchObject([{ group: 'supported', checks: [{}] }]);
});
