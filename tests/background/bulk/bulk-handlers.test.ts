import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { fail, succeed } from '#core/result';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { type BulkRow, rowsFor } from '#core/jobs/index';

const fast = { ...defaultDialect, requestsPerMinute: 6000 };
const { supported, unknown } = sampleCodes('/market');
/** Codes nobody has sold, in the common form. */
const strangers = Array.from(
  { length: 40 },
  (_, at) => `5eed0000-0000-4000-8000-${String(at).padStart(12, '0')}`,
);

/** The market wants no request for an hour. */
const closedForAnHour = {
  base: '/market',
  fault: 'too-many-429',
  retryAfter: 3600,
  times: 9,
} as const;

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

async function addJob(codes: readonly string[], connectionIds: readonly string[]): Promise<string> {
  const id = crypto.randomUUID();
  const collected = codes.map((code, at) => ({ code, line: at + 1, times: 1 }));
  const job = { id, name: '', createdAt: Date.now(), connectionIds, state: 'running' as const };
  expect(await harness.jobs.add(job, rowsFor(id, collected, connectionIds))).toMatchObject({
    ok: true,
  });
  return id;
}

const isDone = ({ outcome }: BulkRow): boolean => outcome !== undefined;

async function asked(): Promise<(string | undefined)[]> {
  const requests = await harness.requests();
  return requests
    .filter(({ path }) => path.endsWith('/validation'))
    .map(({ body }) => new URLSearchParams(body).get('purchase_code') ?? undefined);
}

describe('a bulk check', () => {
  it('asks about each row once, and is done then', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    const job = await addJob([supported, ...strangers], [id]);
    expect(await harness.ask('bulk.drive', {})).toEqual({});
    const rows = await harness.jobs.rows(job);
    expect(rows.every(isDone)).toBe(true);
    expect(rows[0]?.outcome).toMatchObject(succeed({ kind: 'purchase' }));
    expect(rows[1]?.outcome).toMatchObject(succeed({ kind: 'not-found', key: 'good' }));
    expect((await asked()).toSorted()).toEqual([supported, ...strangers].toSorted());
    expect(await harness.jobs.job(job)).toMatchObject({ state: 'done' });
  });

  it('finds a code in its corrected spelling, stores that with the row, and tells the history', async () => {
    const { id } = await harness.connect('/market', { dialect: { ...fast, proven: true } });
    const bare = supported.replaceAll('-', '');
    const job = await addJob([bare, unknown], [id]);
    await harness.ask('bulk.drive', {});
    const [found, missing] = await harness.jobs.rows(job);
    expect(found).toMatchObject({ code: bare, foundSpelling: supported, outcome: { ok: true } });
    expect(missing).not.toHaveProperty('foundSpelling');
    expect((await asked()).toSorted()).toEqual([bare, supported, unknown].toSorted());
    const { history } = harness;
    const [ids] = await history.idsOf([{ code: supported, spelling: supported }]);
    const [entry] = await history.ofCode(ids?.codeId ?? '');
    expect(entry).toMatchObject(ids ?? {});
  });

  it('tells open pages of every finished row and of its end', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    const job = await addJob([supported, unknown], [id]);
    await harness.ask('bulk.drive', {});
    const announced = harness.news.flatMap((news) => (news.kind === 'rows' ? news.rows : []));
    expect([...new Set(announced.map(({ index }) => index))].toSorted()).toEqual([0, 1]);
    expect(harness.news.at(-1)).toMatchObject({ kind: 'job', job: { id: job, state: 'done' } });
  });

  it('asks every connection where all are asked', async () => {
    const market = await harness.connect('/market', { dialect: fast });
    const demo = await harness.connect('/demo', { dialect: fast });
    const job = await addJob([supported], [market.id, demo.id]);
    await harness.ask('bulk.drive', {});
    const outcomes = (await harness.jobs.rows(job)).map(({ connectionId, outcome }) => [
      connectionId,
      outcome?.ok === true ? outcome.value.kind : undefined,
    ]);
    expect(outcomes).toEqual([
      [market.id, 'purchase'],
      [demo.id, 'not-found'],
    ]);
  });

  it('uses two thirds of the limit, and an agent finds room in the rest', async () => {
    const dialect = { ...defaultDialect, requestsPerMinute: 12, proven: true };
    const { id } = await harness.connect('/market', { dialect });
    // One code proves the way of asking, as saving does not.
    await harness.ask('check', { code: supported, connectionId: id, fresh: true });
    await harness.requests();
    const job = await addJob(strangers.slice(0, 20), [id]);
    const { nextRunAt } = await harness.ask('bulk.drive', {});
    expect(nextRunAt).toBeGreaterThan(Date.now() + 30_000);
    // One code and the account's check went before: 8 of 12 in all, and one for the key of these before it waits.
    expect(await harness.requests()).toHaveLength(8);
    expect((await harness.jobs.rows(job)).filter(isDone)).toHaveLength(6);
    const own = await harness.ask('check', { code: supported, connectionId: id, fresh: true });
    expect(own.outcome.ok).toBe(true);

    harness.pass(61_000);
    await harness.ask('bulk.drive', {});
    expect((await harness.jobs.rows(job)).filter(isDone)).toHaveLength(14);
  });

  it('records what it knows before it waits: the history counts the codes that its table counts', async () => {
    const dialect = { ...defaultDialect, requestsPerMinute: 12, proven: true };
    const { id } = await harness.connect('/market', { dialect });
    await harness.ask('check', { code: supported, connectionId: id, fresh: true });
    const demo = await harness.connect('/demo', { dialect: { ...fast, proven: true } });
    await harness.injectFault({ base: '/demo', fault: 'too-many-429', retryAfter: 60, times: 9 });
    const job = await addJob(strangers.slice(0, 20), [id, demo.id]);
    await harness.ask('bulk.drive', {});
    const answered = (await harness.jobs.rows(job)).filter(isDone);
    expect(answered).toHaveLength(6);
    expect((await harness.history.latest(99)).filter(({ by }) => by === 'bulk')).toHaveLength(6);
  });

  it('waits as long as a busy server says, and asks that row again', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    await harness.ask('check', { code: supported, connectionId: id, fresh: true });
    await harness.injectFault({ base: '/market', fault: 'busy-503', times: 1, retryAfter: 40 });
    const job = await addJob(strangers, [id]);
    const { nextRunAt } = await harness.ask('bulk.drive', {});
    expect(nextRunAt).toBeGreaterThan(Date.now() + 20_000);
    expect((await harness.jobs.rows(job)).every(isDone)).toBe(false);
    harness.pass(41_000);
    await harness.ask('bulk.drive', {});
    const rows = await harness.jobs.rows(job);
    expect(rows.every(({ outcome }) => outcome?.ok)).toBe(true);
  });

  it('makes no page ask again before that, however many are open', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    await harness.injectFault(closedForAnHour);
    await addJob(strangers, [id]);
    const calls = [harness.ask('bulk.drive', {}), harness.ask('bulk.drive', {})];
    const anHour = Date.now() + 3_000_000;
    for (const { nextRunAt } of await Promise.all(calls)) expect(nextRunAt).toBeGreaterThan(anHour);
  });

  it('that is added during a run of another is begun at once, where another seller may be asked', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    const demo = await harness.connect('/demo', { dialect: fast });
    await harness.injectFault({ base: '/market', fault: 'latency', ms: 300, times: 1 });
    await harness.injectFault(closedForAnHour);
    await addJob(strangers, [id]);
    const first = harness.ask('bulk.drive', {});
    await expect.poll(() => harness.news.length).toBeGreaterThan(0);
    await addJob(strangers.slice(0, 2), [demo.id]);
    const joined = await harness.ask('bulk.drive', {});
    expect(joined).toEqual(await first);
    expect(joined.nextRunAt).toBeLessThanOrEqual(Date.now());
  });

  it('takes a 429 for no answer about any row', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    const job = await addJob([supported, ...strangers], [id]);
    await harness.injectFault({
      fault: 'too-many-429',
      base: '/market',
      endpoint: 'validation',
      retryAfter: 30,
    });
    const { nextRunAt } = await harness.ask('bulk.drive', {});
    expect(nextRunAt).toBeGreaterThan(Date.now() + 20_000);
    const rows = await harness.jobs.rows(job);
    expect(rows.every((row) => !isDone(row) || row.outcome?.ok)).toBe(true);
    expect(rows.some((row) => !isDone(row))).toBe(true);
    expect(await harness.jobs.job(job)).toMatchObject({ state: 'running' });
  });

  it('leaves some of what a server still takes to the agents', async () => {
    const { id } = await harness.connect('/dialect/rate-limited', { dialect: fast });
    const codes = [supported, ...strangers, ...strangers.map((code) => code.replace('5', '6'))];
    const job = await addJob(codes, [id]);
    const { nextRunAt } = await harness.ask('bulk.drive', {});
    expect(nextRunAt).toBeGreaterThan(Date.now() + 20_000);
    const rows = await harness.jobs.rows(job);
    expect(rows.filter(isDone).length).toBeGreaterThan(50);
    expect(rows.filter(isDone).every(({ outcome }) => outcome?.ok)).toBe(true);
    const one = await harness.ask('check', { connectionId: id, code: supported, fresh: true });
    expect(one).toHaveProperty('outcome.ok', true);
    expect(await harness.jobs.job(job)).toMatchObject({ state: 'running' });
  });

  it('goes on where a stopped worker left it, and asks no finished row again', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    const job = await addJob([supported, ...strangers], [id]);
    const cut = harness.ask('bulk.drive', {});
    await expect.poll(async () => (await harness.jobs.rows(job)).some(isDone)).toBe(true);
    await harness.ask('bulk.set', { jobId: job, to: 'paused' });
    await cut;
    const finished = (await harness.jobs.rows(job)).filter(isDone).map(({ code }) => code);
    await harness.requests();
    await harness.ask('bulk.set', { jobId: job, to: 'running' });
    await harness.closeBrowser();
    await harness.ask('bulk.drive', {});
    expect((await harness.jobs.rows(job)).every(isDone)).toBe(true);
    const again = await asked();
    expect(again.filter((code) => finished.includes(code ?? ''))).toEqual([]);
    expect(again).toHaveLength(41 - finished.length);
  });

  it('pauses when the keys are locked, and goes on once they are not', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    await harness.ask('secrets.set-mode', {
      mode: 'passphrase',
      passphrase: 'correct horse battery',
    });
    await harness.ask('secrets.lock', {});
    const job = await addJob(strangers, [id]);
    expect(await harness.ask('bulk.drive', {})).toEqual({});
    expect(await harness.jobs.job(job)).toMatchObject({
      state: 'paused',
      pausedBy: { kind: 'fault', fault: { kind: 'locked' }, connectionId: id },
    });
    expect(await asked()).toEqual([]);
    await harness.ask('secrets.unlock', { passphrase: 'correct horse battery' });
    await harness.ask('bulk.set', { jobId: job, to: 'running' });
    await harness.ask('bulk.drive', {});
    expect((await harness.jobs.rows(job)).every(isDone)).toBe(true);
  });

  it('asks again about failed rows alone', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    await harness.ask('check', { code: supported, connectionId: id, fresh: true });
    await harness.injectFault({
      base: '/market',
      fault: 'html-500',
      times: 3,
      endpoint: 'validation',
    });
    const job = await addJob(strangers, [id]);
    await harness.ask('bulk.drive', {});
    const failed = (await harness.jobs.rows(job)).filter(({ outcome }) => outcome?.ok === false);
    expect(failed).toHaveLength(3);
    await harness.requests();
    const before = harness.news.length;
    await harness.ask('bulk.retry', { jobId: job, which: 'failed' });
    // What a page draws of its rows goes by the state: its controls would be gone for a moment.
    expect(harness.news.slice(before).map(({ kind }) => kind)).toEqual(['job', 'reset']);
    await harness.ask('bulk.drive', {});
    expect((await asked()).toSorted()).toEqual(failed.map(({ code }) => code).toSorted());
    expect(await harness.jobs.job(job)).toMatchObject({ state: 'done' });
  });

  it('asks again about a row that failed, although another connection is still to be asked', async () => {
    const market = await harness.connect('/market', { dialect: fast });
    const demo = await harness.connect('/demo', { dialect: fast });
    const job = await addJob(strangers.slice(0, 1), [market.id, demo.id]);
    const rows = await harness.jobs.rows(job);
    const failed = rows.slice(0, 1).map((row) => ({
      ...row,
      checkedAt: Date.now(),
      outcome: fail({ kind: 'timeout', afterMs: 1 } as const),
    }));
    await harness.jobs.finish(failed, []);
    await harness.ask('bulk.retry', { jobId: job, which: 'failed' });
    expect((await harness.jobs.rows(job)).filter(isDone)).toEqual([]);
  });

  it('pauses at a connection whose key is wrong before any code looks bad, and can go on without it', async () => {
    const market = await harness.connect('/market', { dialect: fast });
    const demo = await harness.connect('/demo', { dialect: fast, apiKey: 'wrong' });
    const job = await addJob([supported], [demo.id, market.id]);
    await harness.ask('bulk.drive', {});
    expect((await harness.jobs.job(job))?.pausedBy).toHaveProperty('at');
    expect(await harness.jobs.job(job)).toMatchObject({
      pausedBy: {
        fault: { kind: 'refused', about: 'key' },
        connectionId: demo.id,
        revision: demo.revision,
      },
    });
    await harness.ask('bulk.skip', { jobId: job, connectionId: demo.id });
    await harness.ask('bulk.drive', {});
    const outcomes = (await harness.jobs.rows(job)).map(({ outcome }) => outcome?.ok);
    expect(outcomes).toEqual([false, true]);
  });

  it('skips the connection alone whose fault paused it', async () => {
    const { id: demo } = await harness.connect('/demo', { dialect: fast, apiKey: 'wrong' });
    const { id: market } = await harness.connect('/market', { dialect: fast });
    const job = await addJob([supported], [demo, market]);
    await harness.jobs.change(job, (one) => ({
      ...one,
      state: 'paused',
      pausedBy: { kind: 'fault', at: Date.now(), fault: { kind: 'offline' }, connectionId: demo },
    }));
    await harness.ask('bulk.skip', { jobId: job, connectionId: market });
    expect((await harness.jobs.rows(job)).some(isDone)).toBe(false);
    expect(await harness.jobs.job(job)).toMatchObject({ state: 'paused' });
  });

  it('pauses when the disk is full, and loses no row to it', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    const job = await addJob([supported, ...strangers.slice(0, 10)], [id]);
    const roomy = { ...harness.jobs };
    harness.jobs.finish = () => Promise.resolve({ ok: false, fault: { kind: 'storage-full' } });
    expect(await harness.ask('bulk.drive', {})).toEqual({});
    expect((await harness.jobs.job(job))?.pausedBy).toEqual({ kind: 'storage-full' });
    expect((await harness.jobs.rows(job)).some(isDone)).toBe(false);
    Object.assign(harness.jobs, roomy);
    await harness.ask('bulk.set', { jobId: job, to: 'running' });
    await harness.ask('bulk.drive', {});
    expect((await harness.jobs.rows(job)).every(isDone)).toBe(true);
  });

  it('that the agent cancels on a full disk says so, and is cancelled when there is room', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    const job = await addJob(strangers, [id]);
    harness.alarms.set('bulk', Date.now() + 30_000);
    harness.setDiskFull(true);
    const cancelled = await harness.ask('bulk.set', { jobId: job, to: 'cancelled' });
    expect(cancelled).toEqual(fail({ kind: 'storage-full' }));
    harness.setDiskFull(false);
    harness.pass(31_000);
    await harness.runAlarms();
    expect(await harness.jobs.job(job)).toMatchObject({ state: 'cancelled' });
    expect(await asked()).toEqual([]);
  });

  it.each(['failed', 'not-found'] as const)(
    'cannot ask again about the %s ones on a full disk, and says so',
    async (which) => {
      const { id } = await harness.connect('/market', { dialect: fast });
      await harness.ask('check', { code: supported, connectionId: id, fresh: true });
      await harness.injectFault({
        base: '/market',
        fault: 'other-code',
        endpoint: 'validation',
        times: 1,
      });
      const job = await addJob(strangers.slice(0, 2), [id]);
      await harness.ask('bulk.drive', {});
      harness.setDiskFull(true);
      const retried = await harness.ask('bulk.retry', { jobId: job, which });
      expect(retried).toEqual(fail({ kind: 'storage-full' }));
    },
  );

  it('asks nothing while the disk is so full that not even the pause can be stored', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    const job = await addJob([supported, ...strangers.slice(0, 10)], [id]);
    harness.setDiskFull(true);
    await harness.ask('bulk.drive', {});
    await harness.runAlarms();
    await harness.requests();
    harness.pass(60_000);
    await harness.runAlarms();
    expect(await asked()).toEqual([]);
    expect(harness.news.at(-1)).toMatchObject({ job: { pausedBy: { kind: 'storage-full' } } });
    harness.setDiskFull(false);
    harness.pass(60_000);
    await harness.runAlarms();
    expect((await harness.jobs.rows(job)).every(isDone)).toBe(true);
  });

  it('is noted in the history, masked', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    await addJob([supported], [id]);
    await harness.ask('bulk.drive', {});
    const [entry] = await harness.history.latest(5);
    expect(entry).toMatchObject({ connectionId: id, by: 'bulk', answer: { kind: 'purchase' } });
    expect(entry?.code).not.toBe(supported);
  });

  it('that a fault of one connection has paused can go on once that connection is deleted', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    const bad = await harness.connect('/demo', { dialect: fast, apiKey: 'not-the-key-of-demo' });
    const job = await addJob([supported, unknown], [id, bad.id]);
    await harness.ask('bulk.drive', {});
    expect(await harness.jobs.job(job)).toMatchObject({ pausedBy: { connectionId: bad.id } });
    await harness.jobs.forgetConnection(bad.id);
    const left = await harness.jobs.job(job);
    expect(left).toMatchObject({ state: 'paused', connectionIds: [id] });
    expect(left).not.toHaveProperty('pausedBy');
  });

  it('goes with its connection', async () => {
    const { id } = await harness.connect('/market', { dialect: fast });
    const job = await addJob([supported], [id]);
    await harness.ask('bulk.drive', {});
    await harness.ask('connections.delete', { id });
    harness.pass(31_000);
    await harness.runAlarms();
    expect(await harness.jobs.rows(job)).toEqual([]);
    expect(await harness.jobs.jobs()).toEqual([]);
    expect(await harness.history.latest(5)).toEqual([]);
  });
});
