import { beforeEach, describe, expect, it } from 'vitest';

import { createHistoryStore, createPageHistory } from '#adapters/storage/history-store';
import { createJobStore, createPageJobs } from '#adapters/storage/job-store';
import { createSiteStore } from '#adapters/storage/worker/connection-store';
import { type Tables, createTables } from '#adapters/storage/tables';
import type { BulkJob, BulkRow } from '#core/jobs/index';

const job: BulkJob = {
  id: 'j',
  name: 'list',
  createdAt: 5,
  connectionIds: ['market', 'demo'],
  state: 'running',
};
const row: BulkRow = {
  jobId: 'j',
  index: 0,
  connectionId: 'market',
  code: 'code-0',
  line: 1,
  times: 1,
};
const entry = {
  id: 1,
  codeId: 'digest',
  code: 'code-0',
  connectionId: 'market',
  connectionName: 'Market',
  checkedAt: 5,
  answer: { kind: 'not-found' },
  by: 'agent',
  question: 'q',
} as const;

type Table = 'jobs' | 'rows' | 'history';
/** A record of each table as this version stores it. */
const present: Readonly<Record<Table, object>> = {
  jobs: { ...job, version: 1 },
  rows: { ...row, waiting: 0, version: 1 },
  history: { ...entry, version: 1 },
};

let tables: Tables;
beforeEach(() => {
  tables = createTables(crypto.randomUUID());
});

async function put(table: Table, ...records: object[]): Promise<void> {
  await tables.transact([table], 'readwrite', async (transaction) => {
    for (const record of records) await transaction.objectStore(table).put(record);
  });
}

const stored = (table: Table): Promise<unknown[]> =>
  tables.transact([table], 'readonly', (transaction) => transaction.objectStore(table).getAll());

/** Does everything that reads, changes or clears up records of a table, short of what the agent removes. */
const uses: Readonly<Record<Table, () => Promise<unknown[]>>> = {
  async jobs() {
    const jobs = { ...createJobStore(tables), ...createPageJobs(tables) };
    await jobs.job('odd');
    await jobs.change('odd', (one) => ({ ...one, state: 'done' }));
    await jobs.forgetConnection('elsewhere');
    return jobs.jobs();
  },
  async rows() {
    const jobs = { ...createJobStore(tables), ...createPageJobs(tables) };
    await jobs.waiting('j', 'market', 0, 9);
    await jobs.hasWaiting('j');
    await jobs.retry('j', 'failed', 'again');
    await jobs.forgetConnection('demo');
    return jobs.rows('j');
  },
  async history() {
    const history = { ...createHistoryStore(tables), ...createPageHistory(tables) };
    await history.ofCode('digest');
    await history.annotate(2, { ticket: '', note: 'seen' });
    await history.forgetConnection('elsewhere');
    return history.latest(9);
  },
};

describe('a record of a newer version', () => {
  /** Has the members that decide what is done with a record, so that its version alone keeps it as it is. */
  const newer: Readonly<Record<Table, object>> = {
    jobs: { ...job, id: 'odd', connectionIds: ['elsewhere'], version: 99 },
    rows: { ...row, index: 1, connectionId: 'demo', outcome: { ok: false }, version: 99 },
    history: { ...entry, id: 2, connectionId: 'elsewhere', version: 99 },
  };

  it.each(['jobs', 'rows', 'history'] as const)('among the %s stays as it is', async (table) => {
    await put('jobs', present.jobs);
    await put(table, present[table], newer[table]);
    expect(await uses[table]()).toHaveLength(1);
    expect(await stored(table)).toContainEqual(newer[table]);
  });
});

describe('a record that cannot be read', () => {
  const damaged: Readonly<Record<Table, object>> = {
    jobs: { ...job, id: 'odd', state: 'asleep' },
    rows: { ...row, index: 1, waiting: 1, times: 'twice' },
    history: { ...entry, id: 2, by: 'nobody' },
  };

  it.each(['jobs', 'rows', 'history'] as const)('among the %s stays as it is', async (table) => {
    await put('jobs', present.jobs);
    await put(table, present[table], damaged[table]);
    expect(await uses[table]()).toHaveLength(1);
    await uses[table]();
    expect(await stored(table)).toContainEqual(damaged[table]);
  });

  it('takes no place among those that are asked for', async () => {
    await put('rows', ...[0, 1, 2, 3].map((index) => ({ ...damaged.rows, index, waiting: index })));
    await put('rows', ...[4, 5, 6].map((index) => ({ ...present.rows, index, waiting: index })));
    const jobs = createJobStore(tables);
    expect(await jobs.hasWaiting('j')).toBe(true);
    expect((await jobs.waiting('j', 'market', 0, 2)).map(({ index }) => index)).toEqual([4, 5]);
    expect((await jobs.waiting('j', 'market', 6, 2)).map(({ index }) => index)).toEqual([6]);

    const of = (id: number, values: object) => ({
      ...present.history,
      id,
      checkedAt: id,
      ...values,
    });
    await put('history', of(1, { codeId: 'a' }), of(2, { codeId: 'b' }), of(3, { codeId: 'c' }));
    await put('history', of(4, { codeId: 'b', asked: 1 }), of(5, { codeId: 'd', asked: 1 }));
    const history = createPageHistory(tables);
    expect((await history.latest(2)).map(({ id }) => id)).toEqual([3, 2]);
    expect((await history.latest(3)).map(({ id }) => id)).toEqual([3, 2, 1]);
    expect((await history.latest(9)).map(({ id }) => id)).toEqual([3, 2, 1]);
    expect((await history.ofLatestCodes(2)).map(({ id }) => id)).toEqual([3, 2]);
  });
});

describe('the history', () => {
  it('tells of the codes that the agent checked last, however many a bulk check came to since', async () => {
    const of = (id: number, codeId: string, by: 'agent' | 'bulk') => ({
      ...present.history,
      id,
      codeId,
      checkedAt: id,
      by,
    });
    await put('history', of(1, 'a', 'agent'), of(2, 'b', 'agent'), of(3, 'b', 'agent'));
    await put('history', of(4, 'b', 'bulk'));
    await put(
      'history',
      ...Array.from({ length: 200 }, (_, at) => of(10 + at, String(at), 'bulk')),
    );
    const history = createPageHistory(tables);
    expect((await history.ofLatestCodes(1)).map(({ id }) => id)).toEqual([4, 3, 2]);
    expect((await history.ofLatestCodes(5)).map(({ id }) => id)).toEqual([4, 3, 2, 1]);
  });

  const at = (id: number, checkedAt: number) => ({ ...entry, id, checkedAt, version: 1 });
  const idsOf = (entries: readonly { readonly id: number }[]) => entries.map(({ id }) => id);

  it('is read from the latest on, as many as are asked for, or those of a span', async () => {
    const history = createPageHistory(tables);
    expect(await history.latest(5)).toEqual([]);
    expect(await history.oldest()).toBeUndefined();
    await put('history', at(1, 30), at(2, 10), at(3, 20), at(4, 20));
    expect(await history.oldest()).toBe(10);
    expect(idsOf(await history.latest(1))).toEqual([1]);
    expect(idsOf(await history.latest(2))).toEqual([1, 4]);
    expect(idsOf(await history.latest(9))).toEqual([1, 4, 3, 2]);
    expect(idsOf(await history.latest(Infinity, { from: 10, to: 30 }))).toEqual([4, 3, 2]);
  });
});

describe('a site', () => {
  it('may name an expected item', async () => {
    const site = { origin: 'https://desk.example', automatic: true };
    const expectedItem = { connectionId: 'market', itemId: 7, name: 'Anchor' };
    const sites = createSiteStore(tables);
    await sites.change(() => [site, { ...site, origin: 'https://other.example', expectedItem }]);
    expect(await sites.read()).toMatchObject([site, { expectedItem }]);
  });
});

describe('a record that is removed', () => {
  it('of a job is listed apart', async () => {
    const deleted = { ...job, deletedUntil: 9 };
    await put('jobs', { ...present.jobs, ...deleted });
    const jobs = { ...createJobStore(tables), ...createPageJobs(tables) };
    expect(await jobs.jobs()).toEqual([]);
    expect(await jobs.deletedJobs()).toEqual([deleted]);
  });

  it('of the history is put back as it was, one of a newer version included', async () => {
    const newer = { ...entry, id: 2, version: 99 };
    await put('history', present.history, newer);
    const history = { ...createHistoryStore(tables), ...createPageHistory(tables) };
    const restore = await history.erase();
    expect(await stored('history')).toEqual([]);
    await restore?.();
    expect(await stored('history')).toEqual([present.history, newer]);
  });
});
