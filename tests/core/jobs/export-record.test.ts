import { describe, expect, test } from 'vitest';

import {
  type CellWords,
  type ExportOptions,
  exportCells,
  exportColumns,
  exportRecordOf,
} from '#core/jobs/export-record';
import { wordOf, readFacts } from '#core/verdict/index';
import type { OutcomeSummary } from '#core/check/index';
import { fail, succeed } from '#core/result';
import type { BulkRow } from '#core/jobs/job';

const now = Date.UTC(2026, 10, 20, 12);
const code = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
const options: ExportOptions = {
  masked: false,
  now,
  connectionName: 'Market',
  sentence: 'A sentence',
};

const bought: OutcomeSummary = succeed({
  kind: 'purchase',
  purchase: {
    item: { id: 12, name: 'Orbit CRM', version: '2.4.1' },
    licenseType: 'Regular',
    price: 29,
    currency: 'USD',
    downloaded: true,
    date: Date.UTC(2026, 0, 15),
    supportedUntil: now + 1,
    seats: 4,
    uses: { count: 3, limit: 5 },
  },
});

const notFound: OutcomeSummary = succeed({
  kind: 'not-found',
  msg: 'Invalid code',
  key: 'good',
  proven: true,
});

function recordOf(
  outcome?: OutcomeSummary,
  { expectedItemId, ...changes }: Partial<ExportOptions> & { expectedItemId?: number } = {},
) {
  const row: BulkRow = {
    jobId: 'job',
    index: 0,
    connectionId: 'market',
    code,
    line: 3,
    times: 2,
    ...(outcome === undefined ? {} : { outcome, checkedAt: now }),
  };
  const job = {
    state: 'running',
    ...(expectedItemId === undefined ? {} : { expectedItemId }),
  } as const;
  return exportRecordOf(job, row, { ...options, ...changes });
}

describe('an exported row', () => {
  test('of a purchase says all that the table shows', () => {
    expect(recordOf(bought)).toMatchObject({
      code,
      verdict: 'supported',
      sentence: 'A sentence',
      connection: 'Market',
      itemId: 12,
      item: 'Orbit CRM',
      version: '2.4.1',
      otherItem: null,
      license: 'Regular',
      price: 29,
      currency: 'USD',
      downloaded: true,
      bought: '2026-01-15T00:00:00.000Z',
      supportedUntil: '2026-11-20T12:00:00.001Z',
      expires: null,
      seats: 4,
      uses: { count: 3, limit: 5 },
      answer: null,
      fault: null,
      checkedAt: '2026-11-20T12:00:00.000Z',
      line: 3,
      times: 2,
      foundSpelling: null,
    });
  });

  test.each([bought, notFound, undefined])(
    'has a member for every fact, told or not',
    (outcome) => {
      expect(Object.keys(recordOf(outcome))).toEqual(
        expect.arrayContaining(Object.keys(readFacts(undefined))),
      );
    },
  );

  test('has the verdict of the moment of the export', () => {
    expect(recordOf(bought, { now: now + 1 }).verdict).toBe('lapsed');
  });

  test('of a not-found holds the server’s message and no purchase', () => {
    expect(recordOf(notFound)).toMatchObject({
      verdict: 'not-found',
      answer: 'Invalid code',
      fault: null,
      item: null,
      itemId: null,
      price: null,
      bought: null,
      downloaded: null,
    });
  });

  test('of a fault names its kind', () => {
    expect(recordOf(fail({ kind: 'offline' }))).toMatchObject({
      verdict: 'fault',
      fault: 'offline',
      answer: null,
      item: null,
    });
  });

  test('that waits has no outcome and no time', () => {
    expect(recordOf(undefined, { sentence: null })).toMatchObject({
      verdict: 'waiting',
      sentence: null,
      fault: null,
      answer: null,
      checkedAt: null,
    });
  });

  test('of another item than the job expects says so; a job that expects none says nothing', () => {
    expect(recordOf(bought, { expectedItemId: 12 }).otherItem).toBe(false);
    expect(recordOf(bought, { expectedItemId: 13 }).otherItem).toBe(true);
    expect(recordOf(bought).otherItem).toBeNull();
  });

  test('holds no whole code when codes are masked', () => {
    const record = recordOf(bought, { masked: true });
    expect(record.code).not.toBe(code);
    expect(JSON.stringify(record)).not.toContain(code);
  });

  test('fills the cells beside its code; several are joined, and of nothing there is nothing', () => {
    const moment = new Date(now).toISOString();
    const until = new Date(now + 1).toISOString();
    const words: CellWords = {
      verdict: (group) => `${group.charAt(0).toUpperCase()}${group.slice(1)}!`,
      fact: (value) => JSON.stringify(value),
    };
    const rowOf = (outcome: OutcomeSummary) => ({
      record: recordOf(outcome),
      outcome,
      word: wordOf({ outcome }, undefined, now),
    });
    const told = (...outcomes: OutcomeSummary[]) => {
      const cells = exportCells(
        outcomes.map((outcome) => rowOf(outcome)),
        words,
      );
      const named = exportColumns.map((name, place) => [name, cells[place]] as const);
      return Object.fromEntries(named.filter(([, cell]) => cell !== ''));
    };
    expect(told(bought)).toEqual({
      verdict: 'Supported!',
      verdictWord: 'supported',
      item: 'Orbit CRM',
      license: 'Regular',
      supportedUntil: until,
      seats: '{"number":4}',
      uses: '{"count":3,"limit":5}',
      connection: 'Market',
      checkedAt: moment,
      codeAsked: code,
    });
    expect(told(notFound, bought)).toEqual({
      verdict: 'Not-found!; Supported!',
      verdictWord: 'not-found; supported',
      item: '; Orbit CRM',
      license: '; Regular',
      supportedUntil: `; ${until}`,
      seats: '; {"number":4}',
      uses: '; {"count":3,"limit":5}',
      connection: 'Market; Market',
      checkedAt: `${moment}; ${moment}`,
      codeAsked: `${code}; ${code}`,
    });
    expect(exportCells([], words)).toEqual(exportColumns.map(() => ''));
  });
});
