import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { OutcomeSummary } from '#core/check/index';
import { defaultDialect } from '#core/connections/index';
import { afterFault, type BulkRow, rowsFor } from '#core/jobs/job';
import {
  bulkLimit,
  minutesToWait,
  rateOf,
  roundTimeLeft,
  standstillsAt,
  timeLeft,
} from '#core/jobs/index';
import {
  arrangeBulkRows,
  type BulkSortKey,
  countRows,
  likelyVerdicts,
  wordInJob,
} from '#core/jobs/table';
import { isOtherItem } from '#core/items/index';

const now = Date.UTC(2026, 10, 20);

function bought(name: string, id: number, supportedUntil?: number): OutcomeSummary {
  const item = { id, name, version: '1' };
  const purchase = { item, licenseType: 'Regular', price: 1, currency: 'EUR', downloaded: true };
  const until = supportedUntil === undefined ? {} : { supportedUntil };
  return { ok: true, value: { kind: 'purchase', purchase: { ...purchase, date: 0, ...until } } };
}
const notFound: OutcomeSummary = {
  ok: true,
  value: { kind: 'not-found', msg: '', key: 'good', proven: true },
};
const outcomes: (OutcomeSummary | undefined)[] = [
  bought('Zebra', 1, now + 1),
  notFound,
  bought('apple', 2, now),
  undefined,
  { ok: false, fault: { kind: 'offline' } },
  bought('Mango', 3),
];
const rows: BulkRow[] = outcomes.map((outcome, index) => ({
  jobId: 'j',
  index,
  connectionId: 'c',
  code: `CODE-${String(9 - index)}`,
  line: 1,
  times: 1,
  ...(outcome === undefined ? {} : { outcome, checkedAt: now }),
}));
const all = { wanted: '', group: undefined, sort: undefined } as const;
const job = { state: 'running' } as const;
const subject = { nameOf: () => 'Market', ownOf: () => [], job, now };
const view = (how: Partial<Parameters<typeof arrangeBulkRows>[1]>): number[] =>
  arrangeBulkRows(rows, { ...all, ...how }, subject).map(({ index }) => index);

describe('the table of a bulk check', () => {
  it('counts what is more than supported or not by its own name', () => {
    const [row] = rows;
    const purchase = { item: { id: 1, name: '', version: '' }, problem: { kind: 'refunded' } };
    const refunded = {
      ...row,
      outcome: { ok: true, value: { kind: 'purchase', purchase } },
    } as BulkRow;
    const counts = countRows([refunded], { ...job, expectedItemId: 1 }, now);
    expect(counts).toMatchObject({ refunded: 1, 'no-support': 0, 'other-item': 0 });
    const wanted = { ...all, group: 'refunded' } as const;
    const ofItem = { ...subject, job: { ...job, expectedItemId: 1 } };
    expect(arrangeBulkRows([refunded], wanted, ofItem)).toEqual([refunded]);
  });

  it('counts each verdict, support that ends now as ended', () => {
    expect(countRows(rows, job, now)).toMatchObject({
      'other-item': 0,
      supported: 1,
      lapsed: 1,
      'no-support': 1,
      'not-found': 1,
      fault: 1,
      waiting: 1,
    });
  });
  it('calls a code that was not asked about by another name once it is cancelled', () => {
    const cancelled = { state: 'cancelled' } as const;
    expect(countRows(rows, cancelled, now)).toMatchObject({
      waiting: 0,
      'not-checked': 1,
      fault: 1,
    });
    const wanted = { ...all, group: 'not-checked' } as const;
    expect(arrangeBulkRows(rows, wanted, { ...subject, job: cancelled })).toHaveLength(1);
    expect(arrangeBulkRows(rows, wanted, subject)).toEqual([]);
    for (const state of ['running', 'paused'] as const)
      expect(wordInJob({}, { state }, now)).toBe('waiting');
  });
  it('sorts by verdict, item or code, either way, and keeps the order of equals', () => {
    const by = (key: BulkSortKey, direction: 'ascending' | 'descending' = 'ascending') =>
      view({ sort: { key, direction } });
    expect(view({})).toEqual([0, 1, 2, 3, 4, 5]);
    expect(by('verdict')).toEqual([0, 2, 5, 1, 4, 3]);
    expect(by('item')).toEqual([2, 5, 0, 1, 3, 4]);
    expect(by('item', 'descending')).toEqual([0, 5, 2, 1, 3, 4]);
    expect(by('code')).toEqual([5, 4, 3, 2, 1, 0]);
    expect(by('connection', 'descending')).toEqual([0, 1, 2, 3, 4, 5]);
  });
  it('filters by verdict and searches codes, items and connections', () => {
    expect(view({ group: 'lapsed' })).toEqual([2]);
    expect(view({ wanted: 'zEB' })).toEqual([0]);
    expect(view({ wanted: 'code-9' })).toEqual([0]);
    expect(view({ wanted: 'market' })).toHaveLength(6);
    expect(view({ wanted: 'nothing' })).toEqual([]);
  });
  it('searches and sorts by the cells beside the codes, and sorts by the end of support', () => {
    const ownOf = (code: string) => [code === 'CODE-9' ? 'Ada' : '', code.slice(5)];
    const shown = (how: Partial<Parameters<typeof arrangeBulkRows>[1]>): number[] =>
      arrangeBulkRows(rows, { ...all, ...how }, { ...subject, ownOf }).map(({ index }) => index);
    expect(shown({ wanted: 'ada' })).toEqual([0]);
    expect(shown({ sort: { key: 'own0', direction: 'descending' } })[0]).toBe(0);
    expect(shown({ sort: { key: 'own1', direction: 'ascending' } })[0]).toBe(5);
    expect(shown({ sort: { key: 'supportedUntil', direction: 'descending' } })).toEqual([
      0, 2, 1, 3, 4, 5,
    ]);
  });
  it('counts and shows purchases of another item than expected apart, whatever their support', () => {
    const expected = { ...subject, job: { ...job, expectedItemId: 1 } };
    expect(countRows(rows, { ...job, expectedItemId: 1 }, now)).toMatchObject({
      supported: 1,
      lapsed: 0,
      'no-support': 0,
      'other-item': 2,
      'not-found': 1,
    });
    const shown = arrangeBulkRows(rows, { ...all, group: 'other-item' }, expected);
    expect(shown.map(({ index }) => index)).toEqual([2, 5]);
  });
  it('marks a genuine code for another item, and nothing else', () => {
    expect(rows.map(({ outcome }) => isOtherItem(outcome, 1))).toEqual([
      false,
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(isOtherItem(outcomes[0], undefined)).toBe(false);
  });
  it('has a row for each code at each connection, those of a code together', () => {
    const codes = [
      { code: 'a', line: 1, times: 1 },
      { code: 'b', line: 2, times: 3 },
    ];
    const made = rowsFor('j', codes, ['x', 'y']);
    expect(made.map(({ index, code, connectionId }) => [index, code, connectionId])).toEqual([
      [0, 'a', 'x'],
      [1, 'a', 'y'],
      [2, 'b', 'x'],
      [3, 'b', 'y'],
    ]);
  });
  it('has rows at the connections alone that a code is asked at, which each code is judged for once', () => {
    const codes = ['a', 'b'].map((code, at) => ({ code, line: at + 1, times: 1 }));
    const judged: string[] = [];
    const made = rowsFor('j', codes, ['x', 'y', 'z'], (code) => {
      judged.push(code);
      return code === 'a' ? ['z', 'x'] : ['y'];
    });
    expect(made.map(({ index, code, connectionId }) => [index, code, connectionId])).toEqual([
      [0, 'a', 'x'],
      [2, 'a', 'z'],
      [4, 'b', 'y'],
    ]);
    expect(judged).toEqual(['a', 'b']);
  });
});

describe('the time left of a bulk check', () => {
  it.each([
    [1, 5],
    [5000, 5],
    [5001, 10],
    [17_000, 20],
    [21_000, 25],
    [30_001, 40],
    [50_001, 60],
    [89_999, 60],
    [90_000, 120],
    [3_564_000, 59 * 60],
  ])('%i ms are %i seconds', (left, seconds) => {
    expect(roundTimeLeft(left)).toBe(1000 * seconds);
  });

  it('is never told as less in its last minute, nor as more than a step too much, and never grows towards the end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60_000 }),
        fc.integer({ min: 0, max: 3_600_000 }),
        (left, before) => {
          const told = roundTimeLeft(left);
          expect(told).toBeGreaterThanOrEqual(left);
          expect(told - left).toBeLessThan(left > 60_000 / 2 ? 10_000 : 5000);
          expect(told).toBeLessThanOrEqual(roundTimeLeft(left + before));
          expect(Math.abs(roundTimeLeft(60_000 + before) - 60_000 - before)).toBeLessThanOrEqual(
            60_000 / 2,
          );
        },
      ),
    );
  });
});

describe('how a bulk check gets on', () => {
  it('uses two thirds of a limit, and one request at least', () => {
    expect([1, 2, 3, 60, 6000].map(bulkLimit)).toEqual([1, 1, 2, 40, 4000]);
  });
  it('is held back by the limit or by the server, whichever is slower', () => {
    const quick = Array.from({ length: 40 }, (_, at) => now + at * 100);
    const at = (requestsPerMinute: number, waiting = 400, finishedAt = quick) => ({
      waiting,
      requestsPerMinute,
      finishedAt,
    });
    const left = (...asked: Parameters<typeof timeLeft>[0]) => timeLeft(asked, now + 3900);
    expect(left(at(60))).toBe(600_000);
    expect(left(at(6000))).toBe(40_000);
    expect(left(at(60, 400, [now]))).toBeUndefined();
    expect(left(at(60, 0, []))).toBe(0);
    // What the others may ask makes none of them faster.
    expect(left(at(60), at(6000, 0))).toBe(600_000);
  });
  it('takes as long as its slowest connection, of which several answers may come at once', () => {
    const quick = Array.from({ length: 40 }, (_, at) => now - 39 + at);
    const slow = Array.from({ length: 24 }, (_, at) => now + 6000 * (Math.floor(at / 6) - 3));
    const asked = { waiting: 100, requestsPerMinute: 6000 };
    const both = [quick, slow].map((finishedAt) => ({ ...asked, finishedAt }));
    expect(timeLeft(both, now)).toBe(100_000);
    const unknown = { ...asked, finishedAt: [] };
    expect(timeLeft([...both, unknown], now)).toBeUndefined();
  });
  it('waits for no limit that its last codes do not reach', () => {
    const finishedAt = Array.from({ length: 18 }, (_, at) => now - 400 * at);
    expect(timeLeft([{ waiting: 7, requestsPerMinute: 60, finishedAt }], now)).toBe(2800);
  });
  it('is foretold as it then comes, whatever the pace, the limit and the codes that are done', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 200 }),
        fc.integer({ min: 50, max: 4000 }),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 3, max: 300 }),
        fc.integer({ min: 0, max: 59_000 }),
        (requestsPerMinute, pace, waiting, done, idle) => {
          const limit = bulkLimit(requestsPerMinute);
          // In each minute as many codes as the limit allows are answered at this pace, as the worker asks for them.
          const all: number[] = [];
          for (let at = 0; at < done + waiting; at += 1)
            all.push(Math.max((all.at(-1) ?? now) + pace, (all.at(-limit) ?? -Infinity) + 60_000));
          const finishedAt = all.slice(0, done);
          const [present = 0, next = 0] = all.slice(done - 1);
          const elapsed = Math.min(idle, next - present);
          const left = timeLeft([{ waiting, requestsPerMinute, finishedAt }], present + elapsed);
          const end = (all.at(-1) ?? 0) - present - elapsed;
          // The answers around a wait make the pace look slower where a minute has few of them.
          expect(left).toBeGreaterThanOrEqual(end);
          if (limit > 20) expect(left).toBeLessThanOrEqual(end + pace);
        },
      ),
    );
  });
  it('waits for what its connections were told, and after a while without an answer for that', () => {
    const wait = (connectionId: string, until: number, search = false) => ({
      kind: 'wait' as const,
      connectionId,
      until,
      fault: {
        kind: 'rate-limited' as const,
        by: 'server' as const,
        retryAt: until,
        ...(search && { search: { asked: 1, of: 2 } }),
      },
    });
    const waiting = new Map([
      ['a', 2],
      ['b', 1],
    ]);
    const names = (...args: Parameters<typeof standstillsAt>) =>
      standstillsAt(...args).map(({ connectionId, until = 0 }) => [connectionId, until]);
    expect(names(now, waiting, [wait('a', now + 1), wait('b', now)], now)).toEqual([
      ['a', now + 1],
    ]);
    // A search goes on as long as its code waits.
    expect(names(now, waiting, [wait('b', now, true), wait('c', now, true)], now)).toEqual([
      ['b', now],
    ]);
    expect(names(now, waiting, [], now - 2999)).toEqual([]);
    expect(names(now, waiting, [wait('a', now)], now - 3000)).toEqual([
      ['a', 0],
      ['b', 0],
    ]);
    expect(names(now, new Map(), [], now - 3000)).toEqual([]);
  });
  it('is likely to come to what its marketplaces tell of support', () => {
    const job = { state: 'running' } as const;
    const likely = ['supported', 'lapsed', 'no-support', 'not-found', 'fault', 'waiting'];
    expect(likelyVerdicts(job, [true])).toEqual(likely);
    expect(likelyVerdicts({ ...job, state: 'cancelled' }, [false])).toEqual([
      'untold',
      'not-found',
      'fault',
      'not-checked',
    ]);
    const expected = { ...job, expectedItemId: 1 };
    expect(likelyVerdicts(expected, [false, true])).toEqual([
      ...likely.slice(0, 3),
      'untold',
      'other-item',
      ...likely.slice(3),
    ]);
  });
  it('counts a code at the connections that may have sold it, and at no other', () => {
    const connection = (
      id: string,
      marketplace: 'envato' | 'gumroad',
      requestsPerMinute: number,
    ) => ({
      id,
      marketplace,
      dialect: { ...defaultDialect, requestsPerMinute },
    });
    const connections = [connection('a', 'envato', 750), connection('b', 'gumroad', 60)];
    const codes = Array.from({ length: 2500 }, () => crypto.randomUUID());
    expect(minutesToWait(codes, connections)).toBe(4);
    expect(minutesToWait([], [])).toBe(0);
  });
  it('counts the rows of the last minute', () => {
    expect(rateOf([now - 60_000, now - 59_999, now, now + 1], now)).toBe(2);
  });
});

describe('after a fault', () => {
  it('waits where the server says when, pauses where every row would meet it, else notes it', () => {
    expect(afterFault({ kind: 'rate-limited', retryAt: 7, by: 'server' }, 9)).toEqual({
      do: 'wait',
      until: 7,
    });
    expect(afterFault({ kind: 'server-error', status: 503, retryAt: 7 }, 1).do).toBe('wait');
    expect(afterFault({ kind: 'server-error', status: 503, retryAt: 7 }, 3).do).toBe('note');
    expect(afterFault({ kind: 'locked' }, 1).do).toBe('pause');
    expect(afterFault({ kind: 'refused', msg: '', about: 'key' }, 1).do).toBe('pause');
    expect(afterFault({ kind: 'refused', msg: '', about: 'request' }, 1).do).toBe('note');
    expect(afterFault({ kind: 'mismatch' }, 1).do).toBe('note');
  });
});
