import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { fail, succeed } from '#core/result';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { checksOf } from '#core/history/index';
import { codeRowsOf, rowsFor } from '#core/jobs/index';
import { dayMs } from '#core/time/index';

const fast = { ...defaultDialect, requestsPerMinute: 6000 };
const { supported, lapsed, unknown } = sampleCodes('/market');
const undoMs = 30_000;

let harness: WorkerHarness;
let connectionId: string;
beforeEach(async () => {
  harness = await createWorkerHarness();
  ({ id: connectionId } = await harness.connect('/market', { dialect: fast }));
});
afterEach(() => harness.close());

/** Jobs that are made within one millisecond are of different age, too. */
let made = 0;

async function addJob(
  codes: readonly string[],
  connectionIds: readonly string[] = [connectionId],
): Promise<string> {
  made += 1;
  const id = crypto.randomUUID();
  const collected = codes.map((code, at) => ({ code, line: at + 1, times: 1 }));
  const job = {
    id,
    name: '',
    createdAt: Date.now() + made,
    connectionIds,
    state: 'running',
  } as const;
  await harness.jobs.add(job, rowsFor(id, collected, connectionIds));
  return id;
}

/** Writes a fault for each row, as after a job whose server was down. */
async function giveUp(jobId: string): Promise<void> {
  const outcome = fail({ kind: 'timeout', afterMs: 1 } as const);
  const rows = await harness.jobs.rows(jobId);
  await harness.jobs.finish(rows.map((row) => ({ ...row, checkedAt: 1, outcome })));
}

const drive = () => harness.ask('bulk.drive', {});
const rowNews = () =>
  harness.news.flatMap((news) => (news.kind === 'rows' ? news.rows.map((row) => row.index) : []));

describe('one row that is asked about again', () => {
  it('gets the answer of a fresh request, and open pages are told', async () => {
    const jobId = await addJob([supported]);
    await drive();
    const [before] = await harness.jobs.rows(jobId);
    await harness.requests();
    harness.pass(1000);
    const seen = rowNews().length;
    expect(await harness.ask('bulk.refresh', { jobId, indexes: [0] })).toEqual(succeed(null));
    expect(await harness.requests()).toHaveLength(1);
    const [after] = await harness.jobs.rows(jobId);
    const { checkedAt, finishedAt, question } = after ?? {};
    expect(after).toEqual({ ...before, checkedAt, finishedAt, question });
    expect(after?.checkedAt).toBeGreaterThan(before?.checkedAt ?? Infinity);
    expect(rowNews().slice(seen)).toEqual([0]);
  });

  it('keeps its answer over a later fault, which is told', async () => {
    const jobId = await addJob([supported]);
    await drive();
    const before = await harness.jobs.rows(jobId);
    await harness.injectFault({ base: '/market', fault: 'html-500' });
    expect(await harness.ask('bulk.refresh', { jobId, indexes: [0] })).toMatchObject(
      fail({ kind: 'server-error' }),
    );
    expect(await harness.jobs.rows(jobId)).toEqual(before);
  });

  it('gets a fault for an earlier fault, and an answer for it later', async () => {
    const jobId = await addJob([supported]);
    await harness.ask('check', { code: lapsed, connectionId, fresh: true });
    await harness.injectFault({ base: '/market', fault: 'html-500', endpoint: 'validation' });
    await drive();
    await harness.injectFault({ base: '/market', fault: 'other-code', endpoint: 'validation' });
    const outcomeAfterRefresh = async () => {
      await harness.ask('bulk.refresh', { jobId, indexes: [0] });
      return (await harness.jobs.rows(jobId))[0]?.outcome;
    };
    expect(await outcomeAfterRefresh()).toMatchObject(fail({ kind: 'mismatch' }));
    expect(await outcomeAfterRefresh()).toMatchObject(succeed({ kind: 'purchase' }));
  });

  it('is stored with the spelling that was found', async () => {
    const jobId = await addJob([supported.replaceAll('-', '')]);
    await giveUp(jobId);
    await harness.ask('bulk.refresh', { jobId, indexes: [0] });
    expect(await harness.jobs.rows(jobId)).toMatchObject([{ foundSpelling: supported }]);
  });

  it('is none where the job has no such row, and nobody is asked', async () => {
    const jobId = await addJob([supported]);
    expect(await harness.ask('bulk.refresh', { jobId, indexes: [7] })).toEqual(succeed(null));
    expect(await harness.requests()).toEqual([]);
  });

  it('is not stored on a full disk, which is told', async () => {
    const jobId = await addJob([supported]);
    await giveUp(jobId);
    harness.setDiskFull(true);
    expect(await harness.ask('bulk.refresh', { jobId, indexes: [0] })).toEqual(
      fail({ kind: 'storage-full' }),
    );
  });
});

describe('a code that is asked about at two connections', () => {
  let otherId: string;
  beforeEach(async () => {
    ({ id: otherId } = await harness.connect('/demo', { dialect: fast }));
  });

  async function doneJob(codes: readonly string[]): Promise<string> {
    const jobId = await addJob(codes, [connectionId, otherId]);
    await drive();
    return jobId;
  }

  const checks = async () => checksOf(await harness.history.latest(99));
  const failAt = (base: '/market' | '/demo', times = 9) =>
    harness.injectFault({ base, fault: 'html-500', endpoint: 'validation', times });

  it('is one check in the history, and another when it is refreshed', async () => {
    const jobId = await doneJob([unknown]);
    expect(await checks()).toMatchObject([{ group: 'not-found', by: 'bulk' }]);
    await harness.ask('bulk.refresh', { jobId, indexes: [0, 1] });
    await expect.poll(checks).toMatchObject([
      { group: 'not-found', by: 'agent', connectionNames: ['/demo', '/market'] },
      { group: 'not-found', by: 'bulk' },
    ]);
  });

  it('is not found for as long as an answer that could not be refreshed stays', async () => {
    const jobId = await doneJob([unknown]);
    await failAt('/demo');
    const refreshed = await harness.ask('bulk.refresh', { jobId, indexes: [0, 1] });
    expect(refreshed).toMatchObject(fail({ kind: 'server-error' }));
    const [row] = codeRowsOf(await harness.jobs.rows(jobId), Date.now());
    expect(row?.outcome).toMatchObject(succeed({ kind: 'not-found' }));
    await expect
      .poll(checks)
      .toMatchObject([
        { group: 'not-found', connectionNames: ['/demo', '/market'] },
        { by: 'bulk' },
      ]);
  });

  it('is asked again where its check failed alone, and another code that failed there is left', async () => {
    await harness.ask('check', { code: lapsed, connectionId: otherId, fresh: true });
    await failAt('/demo', 2);
    const jobId = await doneJob([supported, unknown]);
    await harness.requests();
    await harness.ask('bulk.retry', { jobId, which: 'failed' });
    const waiting = (await harness.jobs.rows(jobId)).filter((row) => row.outcome === undefined);
    expect(waiting.map(({ code, connectionId: id }) => [code, id])).toEqual([[unknown, otherId]]);
    await drive();
    expect((await checks()).slice(0, 1)).toMatchObject([
      { group: 'not-found', connectionNames: ['/demo', '/market'] },
    ]);
  });

  it('is a check of its own in each run, so that no later one changes the past', async () => {
    const jobId = await doneJob([unknown]);
    const [before] = await checks();
    harness.pass(8 * dayMs);
    await harness.ask('bulk.retry', { jobId, which: 'not-found' });
    await drive();
    expect(await checks()).toMatchObject([{ group: 'not-found', by: 'bulk' }, { id: before?.id }]);
  });
});

test('of two jobs at one connection the older one is done first', async () => {
  const older = await addJob([supported]);
  harness.pass(1000);
  const newer = await addJob([lapsed]);
  await drive();
  const told = harness.news.flatMap((news) =>
    news.kind === 'rows' ? news.rows.map(({ jobId }) => jobId) : [],
  );
  expect(told).toEqual([older, newer]);
});

describe('a job that is renamed', () => {
  it('is told to open pages, and can be called by its file’s name again, which may be none', async () => {
    const jobId = await addJob([supported]);
    expect(await harness.ask('bulk.rename', { jobId, name: 'Refunds' })).toEqual(succeed(null));
    expect(harness.news.at(-1)).toMatchObject({ kind: 'job', job: { id: jobId, name: 'Refunds' } });
    await harness.ask('bulk.rename', { jobId, name: '' });
    expect(await harness.jobs.jobs()).toMatchObject([{ id: jobId, name: '' }]);
    harness.setDiskFull(true);
    expect(await harness.ask('bulk.rename', { jobId, name: 'Refunds' })).toEqual(
      fail({ kind: 'storage-full' }),
    );
  });
});

describe('a deleted job', () => {
  it('can be brought back while its time is not over', async () => {
    const jobId = await addJob([supported]);
    const { undoUntil } = await harness.ask('bulk.remove', { jobId });
    expect(undoUntil).toBeGreaterThan(Date.now() + undoMs - 5000);
    expect(await harness.jobs.jobs()).toEqual([]);
    expect(harness.news.at(-1)).toEqual({ kind: 'removed', jobId });
    harness.pass(1000);
    expect(await harness.ask('bulk.remove', { jobId })).toEqual({ undoUntil });
    expect(await harness.ask('bulk.restore', { jobId })).toEqual(succeed(null));
    expect(harness.news.at(-1)).toMatchObject({ kind: 'job', job: { id: jobId } });
    expect(await harness.jobs.jobs()).toMatchObject([{ id: jobId }]);
    harness.pass(undoMs);
    await harness.runAlarms();
    await drive();
    expect(await harness.jobs.job(jobId)).toMatchObject({ state: 'done' });
  });

  it('is gone for good once its time is over', async () => {
    const jobId = await addJob([supported]);
    await harness.ask('bulk.remove', { jobId });
    harness.pass(undoMs);
    expect(await harness.ask('bulk.restore', { jobId })).toEqual(fail({ kind: 'no-job' }));
    await harness.runAlarms();
    expect(await harness.jobs.rows(jobId)).toEqual([]);
    expect(await harness.jobs.deletedJobs()).toEqual([]);
  });

  it('is removed by a worker that starts later, and not before its time is over', async () => {
    const first = await addJob([supported]);
    await harness.ask('bulk.remove', { jobId: first });
    harness.pass(undoMs / 2);
    const second = await addJob([lapsed]);
    await harness.ask('bulk.remove', { jobId: second });
    harness.pass(undoMs / 2);
    harness.alarms.delete('finalise-jobs');
    await harness.restart();
    expect((await harness.jobs.deletedJobs()).map(({ id }) => id)).toEqual([second]);
    harness.pass(undoMs / 2);
    await harness.runAlarms();
    expect(await harness.jobs.deletedJobs()).toEqual([]);
  });

  it('is checked no further', async () => {
    const jobId = await addJob([supported, lapsed]);
    await harness.ask('bulk.remove', { jobId });
    expect(await drive()).toEqual({});
    expect(await harness.requests()).toEqual([]);
  });

  it('that a full disk keeps from being marked is removed at once', async () => {
    const jobId = await addJob([supported]);
    harness.jobs.change = () => Promise.resolve({ ok: false, fault: { kind: 'storage-full' } });
    const { undoUntil } = await harness.ask('bulk.remove', { jobId });
    expect(undoUntil).toBeLessThanOrEqual(Date.now());
    expect(await harness.jobs.job(jobId)).toBeUndefined();
  });

  it('that is not there is none', async () => {
    const { undoUntil } = await harness.ask('bulk.remove', { jobId: 'nobody' });
    expect(undoUntil).toBeLessThanOrEqual(Date.now());
    expect(await harness.ask('bulk.restore', { jobId: 'nobody' })).toEqual(
      fail({ kind: 'no-job' }),
    );
  });
});

describe('a job that was stopped by hand', () => {
  it.each(['paused', 'cancelled'] as const)('asks nobody: %s', async (to) => {
    const jobId = await addJob([supported]);
    await harness.ask('bulk.set', { jobId, to });
    expect(await drive()).toEqual({});
    expect(await harness.requests()).toEqual([]);
    expect(await harness.jobs.job(jobId)).toMatchObject({ state: to });
    expect(harness.news.at(-1)).toMatchObject({ kind: 'job', job: { state: to } });
  });

  it('goes on by an alarm with no page open, once it is to', async () => {
    const jobId = await addJob([supported]);
    await harness.ask('bulk.set', { jobId, to: 'paused' });
    await harness.ask('bulk.set', { jobId, to: 'running' });
    expect(harness.alarms.has('bulk')).toBe(true);
    harness.pass(undoMs);
    await harness.runAlarms();
    expect(await harness.jobs.job(jobId)).toMatchObject({ state: 'done' });
  });
});

describe('a re-check that is cancelled', () => {
  const others = Array.from({ length: 3 }, () => crypto.randomUUID());

  it('gives what still waits the verdict back that it had, and open pages are told', async () => {
    const jobId = await addJob([supported, ...others]);
    await drive();
    const before = await harness.jobs.rows(jobId);
    await harness.ask('bulk.retry', { jobId, which: 'not-found' });
    const [, answered] = before;
    if (answered === undefined) throw new Error('there is no second row');
    await harness.jobs.finish([{ ...answered, finishedAt: 9 }]);
    const seen = harness.news.length;
    await harness.ask('bulk.set', { jobId, to: 'cancelled' });
    expect(await harness.jobs.rows(jobId)).toEqual(before.with(1, { ...answered, finishedAt: 9 }));
    expect(harness.news.slice(seen)).toContainEqual({ kind: 'reset', jobId });
    expect(await harness.jobs.job(jobId)).toMatchObject({ state: 'done' });
  });

  it('leaves what the job had not asked about before to be asked when it is resumed', async () => {
    const jobId = await addJob([supported, ...others]);
    const [first] = await harness.jobs.rows(jobId);
    if (first === undefined) throw new Error('there is no row');
    const outcome = fail({ kind: 'timeout', afterMs: 1 } as const);
    await harness.jobs.finish([{ ...first, checkedAt: 1, outcome }]);
    await harness.ask('bulk.retry', { jobId, which: 'failed' });
    await harness.ask('bulk.set', { jobId, to: 'cancelled' });
    const outcomes = async () => (await harness.jobs.rows(jobId)).map((row) => row.outcome);
    expect(await outcomes()).toEqual([outcome, undefined, undefined, undefined]);
    expect(await harness.jobs.job(jobId)).toMatchObject({ state: 'cancelled' });
  });

  it('asks nobody when its job runs again for another reason', async () => {
    const jobId = await addJob([supported, ...others]);
    await drive();
    await harness.ask('bulk.retry', { jobId, which: 'not-found' });
    await harness.ask('bulk.set', { jobId, to: 'cancelled' });
    await harness.requests();
    await harness.ask('bulk.set', { jobId, to: 'running' });
    await drive();
    expect(await harness.requests()).toEqual([]);
  });
});

describe('rows that failed', () => {
  it('are none to ask about again in a job without any', async () => {
    const jobId = await addJob([supported, unknown]);
    await drive();
    await harness.ask('bulk.retry', { jobId, which: 'failed' });
    expect(await harness.jobs.job(jobId)).toMatchObject({ state: 'done' });
    expect(harness.news.some(({ kind }) => kind === 'reset')).toBe(false);
  });

  it('are told to open pages when they wait again', async () => {
    await harness.ask('check', { code: lapsed, connectionId, fresh: true });
    await harness.injectFault({ base: '/market', fault: 'html-500', endpoint: 'validation' });
    const jobId = await addJob([supported]);
    await drive();
    await harness.ask('bulk.retry', { jobId, which: 'failed' });
    expect(harness.news.filter(({ kind }) => kind === 'reset')).toEqual([{ kind: 'reset', jobId }]);
    expect(await harness.jobs.job(jobId)).toMatchObject({ state: 'running' });
  });

  it('pause the job when they are eight in a row', async () => {
    await harness.ask('check', { code: lapsed, connectionId, fresh: true });
    const fault = { base: '/market', fault: 'html-500', endpoint: 'validation' } as const;
    await harness.injectFault({ ...fault, times: 99 });
    const codes = Array.from({ length: 30 }, () => crypto.randomUUID());
    const jobId = await addJob(codes);
    await drive();
    expect(await harness.jobs.job(jobId)).toMatchObject({
      state: 'paused',
      pausedBy: { kind: 'fault', fault: { kind: 'server-error' }, connectionId },
    });
    const done = (await harness.jobs.rows(jobId)).filter(({ outcome }) => outcome !== undefined);
    expect(done.length).toBeGreaterThanOrEqual(8);
    expect(done.length).toBeLessThan(30);
  });
});

describe('a connection that is passed over', () => {
  it('is none where nothing but the agent stopped the job', async () => {
    const jobId = await addJob([supported]);
    await harness.ask('bulk.set', { jobId, to: 'paused' });
    await harness.ask('bulk.skip', { jobId, connectionId });
    expect(await harness.jobs.job(jobId)).toMatchObject({ state: 'paused' });
    expect((await harness.jobs.rows(jobId))[0]).not.toHaveProperty('outcome');
  });
});
