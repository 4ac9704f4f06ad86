import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { type BulkRow, rowsFor } from '#core/jobs/index';

const fast = { ...defaultDialect, requestsPerMinute: 6000, proven: true };
const { supported, lapsed } = sampleCodes('/market');
const strangers = Array.from(
  { length: 60 },
  (_, at) => `5eed0000-0000-4000-8000-${String(at).padStart(12, '0')}`,
);
const refused = { ok: false, fault: { kind: 'refused', about: 'key' } };

let harness: WorkerHarness;
let connectionId: string;
beforeEach(async () => {
  harness = await createWorkerHarness();
  ({ id: connectionId } = await harness.connect('/market', { dialect: fast }));
});
afterEach(() => harness.close());

/** The seller makes a new key: the one that is stored works no more. */
function replaceKey(key = 'a-new-key'): void {
  harness.sandbox.database
    .prepare('UPDATE seller_key SET api_key = ? WHERE base = ?')
    .run(key, '/market');
}

const check = (code: string) => harness.ask('check', { code, connectionId, fresh: true });

async function asked(): Promise<string[]> {
  return (await harness.requests()).map(({ path }) => path.split('/').at(-1) ?? '');
}

describe('a key that was replaced a moment ago', () => {
  it('makes no code look bad, however lately it worked', async () => {
    expect((await check(String(strangers[0]))).outcome).toMatchObject({
      value: { kind: 'not-found', key: 'good' },
    });
    replaceKey();
    harness.pass(1000);
    for (const code of [supported, ...strangers.slice(1, 3)])
      expect((await check(code)).outcome).toMatchObject(refused);
    expect(await harness.history.latest(9)).toHaveLength(1);
  });

  it('is told of one item that is not found, too', async () => {
    await check(String(strangers[0]));
    replaceKey();
    harness.pass(1000);
    const found = await harness.ask('items.item', { connectionId, itemId: 999_999 });
    expect(found).toMatchObject(refused);
  });
});

it('a refusal is kept with its connection until the key works again, or another is saved', async () => {
  const refusal = async () => (await harness.ask('connections.list', {}))[0]?.keyRefusal;
  await harness.ask('connections.test', { id: connectionId });
  expect(await refusal()).toBeUndefined();
  replaceKey();
  harness.pass(1000);
  await harness.ask('connections.test', { id: connectionId });
  expect(await refusal()).toMatchObject({ fault: refused.fault });
  await harness.restart();
  expect(await refusal()).toMatchObject({ fault: refused.fault });
});

describe('a bulk check over a key that is replaced', () => {
  async function addJob(codes: readonly string[]): Promise<string> {
    const id = crypto.randomUUID();
    const collected = codes.map((code, at) => ({ code, line: at + 1, times: 1 }));
    const job = { id, name: '', createdAt: Date.now(), connectionIds: [connectionId] };
    await harness.jobs.add({ ...job, state: 'running' }, rowsFor(id, collected, [connectionId]));
    return id;
  }

  const isNotFound = ({ outcome }: BulkRow): boolean =>
    outcome?.ok === true && outcome.value.kind === 'not-found';

  /** Replaces the key once so many rows were told of. */
  function replaceAfter(count: number): void {
    const { news } = harness;
    const push = (news as unknown[]).push.bind(news);
    let told = 0;
    let isReplaced = false;
    (news as unknown[]).push = (...each) => {
      for (const one of each as typeof news) if (one.kind === 'rows') told += one.rows.length;
      if (told >= count && !isReplaced) replaceKey();
      isReplaced ||= told >= count;
      return push(...each);
    };
  }

  it('leaves no row that a wrong key has answered, says how many wait again, and goes on', async () => {
    const good = harness.sandbox.keys['/market'];
    const codes = [supported, ...strangers.slice(0, 20), lapsed];
    await check(supported);
    const job = await addJob(codes);
    replaceAfter(8);
    await harness.ask('bulk.drive', {});
    const rows = await harness.jobs.rows(job);
    expect(rows.filter(isNotFound)).toEqual([]);
    const { pausedBy, state } = (await harness.jobs.job(job)) ?? {};
    expect(state).toBe('paused');
    expect(pausedBy).toMatchObject({ fault: refused.fault, connectionId });
    expect(pausedBy).not.toHaveProperty('putBack', 0);
    expect(harness.news).toContainEqual({ kind: 'reset', jobId: job });
    const known = (await harness.history.latest(99)).map(({ answer }) => answer.kind);
    expect(known).not.toContain('not-found');

    replaceKey(good);
    harness.pass(1000);
    await harness.ask('bulk.set', { jobId: job, to: 'running' });
    await harness.ask('bulk.drive', {});
    expect(await harness.jobs.job(job)).toMatchObject({ state: 'done' });
    const after = await harness.jobs.rows(job);
    expect(after.filter(isNotFound)).toHaveLength(20);
    expect(after.every(({ outcome }) => outcome?.ok)).toBe(true);
    const all = (await harness.history.latest(99)).filter(({ by }) => by === 'bulk');
    expect(all.filter(({ answer }) => answer.kind === 'not-found')).toHaveLength(20);
  });

  /** Counts what the history and the rows of a job hold as not found. */
  async function notFounds(job: string): Promise<{ history: number; rows: number }> {
    const entries = (await harness.history.latest(99)).filter(({ jobId }) => jobId === job);
    const rows = (await harness.jobs.rows(job)).filter(isNotFound);
    return {
      history: entries.filter(({ answer }) => answer.kind === 'not-found').length,
      rows: rows.length,
    };
  }

  /** Runs a job of codes that are not found, while nothing tells whether the key was right. */
  async function jobInDoubt(count: number): Promise<string> {
    await check(String(strangers.at(-1)));
    const job = await addJob(strangers.slice(0, count));
    await harness.injectFault({
      base: '/market',
      fault: 'too-many-429',
      retryAfter: 60,
      endpoint: 'account',
      times: 9,
    });
    await harness.ask('bulk.drive', {});
    return job;
  }

  it('has the same not-founds in its table and in the history while the key cannot be checked', async () => {
    const job = await jobInDoubt(8);
    expect(await notFounds(job)).toEqual({ history: 8, rows: 8 });
    await harness.ask('bulk.set', { jobId: job, to: 'cancelled' });
    expect(await notFounds(job)).toEqual({ history: 8, rows: 8 });

    replaceKey();
    harness.pass(61_000);
    await harness.clearFaults();
    await harness.ask('bulk.set', { jobId: job, to: 'running' });
    await harness.ask('bulk.drive', {});
    expect(await harness.jobs.job(job)).toMatchObject({ pausedBy: { putBack: 8 } });
    expect(await notFounds(job)).toEqual({ history: 0, rows: 0 });
  });

  it('tells in the history that the key worked, once that is known, and brings back nothing that was deleted', async () => {
    const job = await jobInDoubt(3);
    const [first] = await harness.history.latest(1);
    await harness.history.remove([first?.id ?? -1]);
    harness.pass(61_000);
    await harness.clearFaults();
    await harness.ask('bulk.drive', {});
    expect(await harness.jobs.job(job)).toMatchObject({ state: 'done' });
    const entries = (await harness.history.latest(99)).filter(({ jobId }) => jobId === job);
    expect(entries.map(({ answer }) => answer)).toMatchObject([{ key: 'good' }, { key: 'good' }]);
  });

  it('asks for the account once for a run of not-founds', async () => {
    await check(supported);
    await addJob(strangers.slice(0, 40));
    await asked();
    await harness.ask('bulk.drive', {});
    const paths = await asked();
    expect(paths.filter((path) => path === 'validation')).toHaveLength(40);
    expect(paths.filter((path) => path !== 'validation').length).toBeLessThanOrEqual(2);
  });

  it('puts back what a worker had written that was stopped before it could check the key', async () => {
    await check(supported);
    const job = await addJob(strangers.slice(0, 3));
    const finish = harness.jobs.finish.bind(harness.jobs);
    const rows = (await harness.jobs.rows(job)).map((row) => ({
      ...row,
      checkedAt: Date.now(),
      outcome: {
        ok: true,
        value: { kind: 'not-found', msg: '', key: 'unknown', proven: true },
      } as const,
    }));
    await finish(rows);
    replaceKey();
    harness.pass(1000);
    await harness.restart();
    await harness.ask('bulk.drive', {});
    expect((await harness.jobs.rows(job)).filter(isNotFound)).toEqual([]);
    expect(await harness.jobs.job(job)).toMatchObject({
      state: 'paused',
      pausedBy: { putBack: 3 },
    });
  });

  it('can ask again about the codes that no connection knows, and about no other', async () => {
    const job = await addJob([supported, ...strangers.slice(0, 3)]);
    await harness.ask('bulk.drive', {});
    await asked();
    await harness.ask('bulk.retry', { jobId: job, which: 'not-found' });
    await harness.ask('bulk.drive', {});
    expect((await asked()).filter((path) => path === 'validation')).toHaveLength(3);
  });
});
