import { expect, test } from 'vitest';

import type { AnswerSummary } from '#core/check/index';
import type { HistoryEntry } from '#core/history/entry';
import { monthReportOf } from '#core/history/month-report';
import { createZone, aroundMonth, monthAt, monthsBetween, dayMs } from '#core/time/index';

const utc = createZone('UTC');
const east = createZone('Pacific/Kiritimati');
const moment = (day: number, hour = 12): number => Date.UTC(2026, 10, day, hour);
const bought = (name: string, supportedUntil?: number): AnswerSummary => ({
  kind: 'purchase',
  purchase: {
    item: { id: name.length, name, version: '1' },
    licenseType: 'Regular',
    price: 1,
    currency: 'EUR',
    downloaded: true,
    date: 0,
    ...(supportedUntil !== undefined && { supportedUntil }),
  },
});
const notFound: AnswerSummary = { kind: 'not-found', msg: '', key: 'good', proven: true };
let id = 0;
function check(code: string, at: number, answer: AnswerSummary, more: Partial<HistoryEntry> = {}) {
  id += 1;
  return {
    id,
    codeId: code,
    code: `cd2a-0000-${code}`,
    connectionId: 'market',
    connectionName: 'Market',
    by: 'agent',
    question: more.jobId ?? String(id),
    checkedAt: at,
    answer,
    ...more,
  } satisfies HistoryEntry;
}
const latestFirst = (entries: HistoryEntry[]): HistoryEntry[] =>
  entries.toSorted((a, b) => b.checkedAt - a.checkedAt);
const reportOf = (entries: HistoryEntry[], zone = utc, withBulk = true) =>
  monthReportOf(latestFirst(entries), '2026-11', zone, withBulk);

test('each check counts once, by the verdict of its own moment, whatever connections were asked', () => {
  const report = reportOf([
    check('a', moment(3), bought('Theme', moment(4)), { question: 'one' }),
    check('a', moment(3) + 5, notFound, { connectionId: 'demo', question: 'one' }),
    check('b', moment(5), bought('Theme', moment(4))),
    check('c', moment(5), bought('Plugin')),
    check('d', moment(6), notFound),
  ]);
  expect(report.checks).toBe(4);
  expect(report.codes).toBe(4);
  expect(report.verdicts).toMatchObject({
    supported: 1,
    lapsed: 1,
    'no-support': 1,
    'not-found': 1,
  });
  expect(report.items.map(({ name, checks }) => [name, checks])).toEqual([
    ['Theme', 2],
    ['Plugin', 1],
  ]);
});

test('every day of the month is listed, and a check is of the day that the zone’s calendar shows', () => {
  const entries = [check('a', moment(30, 20), notFound), check('b', moment(1, 0), notFound)];
  const busy = ({ days }: ReturnType<typeof reportOf>) =>
    days.filter(({ checks }) => checks > 0).map(({ name }) => name);
  expect(reportOf(entries).days).toHaveLength(30);
  expect(busy(reportOf(entries))).toEqual(['2026-11-01', '2026-11-30']);
  expect(busy(reportOf(entries, east))).toEqual(['2026-11-01']);
});

test('a ticket is without support when a purchase was found for it and none is supported', () => {
  const later = moment(28);
  const report = reportOf([
    check('lapsed', moment(3), bought('Theme', moment(1)), { ticket: 'https://desk.example/1' }),
    check('other', moment(3) + 9, bought('Theme', later), { ticket: 'https://desk.example/1' }),
    check('lapsed', moment(4), bought('Theme', moment(1)), { ticket: 'https://desk.example/2' }),
    check('none', moment(5), bought('Theme')),
    check('none', moment(6), bought('Theme')),
    check('missing', moment(6), notFound),
    check('bulk', moment(7), bought('Theme'), { by: 'bulk', jobId: 'j' }),
  ]);
  expect(report.tickets).toEqual({ all: 4, withoutSupport: 2 });
});

test('a ticket is not counted where no check of it got an answer', () => {
  const asked = ['market', 'demo'];
  const report = reportOf([
    check('silent', moment(3), notFound, { asked, ticket: 'https://desk.example/1' }),
    check('silent too', moment(3), notFound, { asked }),
    check('later', moment(4), notFound, { asked, ticket: 'https://desk.example/2' }),
    check('later', moment(5), bought('Theme'), { asked, ticket: 'https://desk.example/2' }),
    check('none', moment(5), bought('Theme')),
    check('missing', moment(6), notFound),
  ]);
  expect(report.tickets).toEqual({ all: 3, withoutSupport: 2 });
});

test('the codes checked most often are ten at most, masked, of those checked one by one and more than once', () => {
  const report = reportOf([
    ...Array.from({ length: 12 }, (_, code) =>
      Array.from({ length: 2 }, (_, time) =>
        check(`code-${String(code)}`, moment(2 + time), notFound),
      ),
    ).flat(),
    ...[8, 9, 10].map((day) => check('often', moment(day), bought('Theme'))),
    check('once', moment(8), notFound),
    ...[8, 9].map((day) =>
      check('bulk', moment(day), notFound, { by: 'bulk', jobId: String(day) }),
    ),
  ]);
  expect(report.mostAsked).toHaveLength(10);
  expect(report.mostAsked[0]).toMatchObject({ item: 'Theme', checks: 3 });
  expect(JSON.stringify(report)).not.toContain('cd2a-0000-often');
});

test('the checks of bulk checks are counted apart, and can be left out', () => {
  const entries = [
    check('a', moment(3), notFound),
    check('a', moment(4), notFound, { by: 'bulk', jobId: 'j' }),
    check('b', moment(4), notFound, { by: 'bulk', jobId: 'j' }),
  ];
  expect(reportOf(entries)).toMatchObject({ checks: 3, inBulk: 2 });
  expect(reportOf(entries, utc, false)).toMatchObject({ checks: 1, inBulk: 0, codes: 1 });
});

test('what an unfinished bulk check has not settled is no check of a month', () => {
  const ofJob = { by: 'bulk', jobId: 'j', asked: ['market', 'demo'] } as const;
  const entries = latestFirst([
    check('a', moment(4), notFound, ofJob),
    check('b', moment(4), bought('Theme'), ofJob),
  ]);
  const counted = (unasked?: 'waiting' | 'not-checked') =>
    monthReportOf(entries, '2026-11', utc, true, () => unasked);
  expect(counted('not-checked')).toMatchObject({ checks: 1, inBulk: 1, codes: 1 });
  expect(counted('waiting')).toMatchObject({ checks: 1, verdicts: { fault: 0 } });
  expect(counted()).toMatchObject({ checks: 2, verdicts: { fault: 1 } });
});

test('the months of a history are listed from the latest to the first, across a year', () => {
  const from = Date.UTC(2025, 10, 30, 23);
  expect(monthsBetween(from, moment(1), utc)).toHaveLength(13);
  expect(monthsBetween(from, Date.UTC(2026, 0, 5), utc)).toEqual(['2026-01', '2025-12', '2025-11']);
  expect(monthsBetween(from, Date.UTC(2026, 0, 5), east).at(-1)).toBe('2025-12');
  expect(monthsBetween(moment(3), moment(3), utc)).toEqual(['2026-11']);
});

test('the span that is read for a month holds all of it in every zone, and little more', () => {
  const { from, to } = aroundMonth('2026-11');
  for (const zone of [utc, east, createZone('Pacific/Pago_Pago')]) {
    expect(monthAt(from, zone)).toBe('2026-10');
    expect(monthAt(to, zone)).toBe('2026-12');
  }
  expect(to - from).toBe(32 * dayMs);
});
