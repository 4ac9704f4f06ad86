import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createSessionCache } from '#adapters/storage/session-cache';
import { createRowWriter } from '#background/bulk/row-writer';
import { createHistory } from '#background/check/history';
import { succeed } from '#core/result';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { rowsFor } from '#core/jobs/index';

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

/** Stores a running job of two rows, and creates a writer for them. `lock` locks the keys. */
async function createSetup() {
  const connection = await harness.connect('/market');
  const jobId = crypto.randomUUID();
  const codes = ['a', 'b'].map((code, at) => ({ code, line: at + 1, times: 1 }));
  const rows = rowsFor(jobId, codes, [connection.id]).map((row) => ({
    ...row,
    checkedAt: 1,
    outcome: succeed({ kind: 'not-found', msg: '', key: 'good', proven: true } as const),
  }));
  const job = { name: '', createdAt: 1, connectionIds: [connection.id] };
  await harness.jobs.add(
    { id: jobId, ...job, state: 'running' },
    rowsFor(jobId, codes, [connection.id]),
  );
  let wasLocked = false;
  const writer = createRowWriter({
    jobs: harness.jobs,
    history: createHistory({
      store: harness.history,
      secrets: { sealCodes: () => Promise.resolve(undefined) },
      session: harness.session,
      sessionCache: createSessionCache(harness.session),
      now: () => 1,
    }),
    asksSeveral: () => false,
    publishProgress: () => undefined,
    onStorageFull: () => Promise.resolve(),
  });
  return {
    rows,
    writer,
    secrets: { sealCodes: () => Promise.resolve(undefined) },
    access: { connection, apiKey: '', deadline: 0, wasLocked: () => wasLocked },
    finish: harness.jobs.finish.bind(harness.jobs),
    written: async () => (await harness.jobs.rows(jobId)).map((row) => 'outcome' in row),
    lock: () => {
      wasLocked = true;
    },
  };
}

it('keeps no row waiting for rows that finished later, nor for the history', async () => {
  const { rows, writer, access, finish, written } = await createSetup();
  const later = Promise.withResolvers<undefined>();
  vi.spyOn(harness.jobs, 'finish')
    .mockImplementationOnce(finish)
    .mockImplementationOnce((finished) => later.promise.then(() => finish(finished)));
  const recorded = vi
    .spyOn(harness.history, 'add')
    .mockImplementation(() => later.promise.then(() => succeed(undefined)));
  const [first, second] = rows.map((row) => writer.add(row, access));
  await first;
  expect(await written()).toEqual([true, false]);
  later.resolve(undefined);
  await second;
  await writer.settled();
  expect(recorded.mock.calls.flatMap(([entries]) => entries)).toHaveLength(2);
});

it('leaves a gap that is told when the worker stops between a row and its record, and else none', async () => {
  const { rows, writer, access } = await createSetup();
  const gapNow = async () => {
    const store = harness.history;
    const { connection } = access;
    const next = createHistory({
      store,
      secrets: { sealCodes: () => Promise.resolve(undefined) },
      session: harness.session,
      sessionCache: createSessionCache(harness.session),
      now: () => 1,
    });
    return (await next.lookUp('c', connection))?.hasGap;
  };
  const recorded = Promise.withResolvers<undefined>();
  const add = harness.history.add.bind(harness.history);
  vi.spyOn(harness.history, 'add').mockImplementation((entries) =>
    recorded.promise.then(() => add(entries)),
  );
  await Promise.all(rows.map((row) => writer.add(row, access)));
  expect(await gapNow()).toBe(true);
  recorded.resolve(undefined);
  await writer.settled();
  expect(await gapNow()).toBe(false);
});

it('records together in the history what is written within a moment', async () => {
  const { rows, writer, access } = await createSetup();
  const recorded = vi.spyOn(harness.history, 'add');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // Of two at once, the second is written after the first.
  await Promise.all(rows.map((row) => writer.add(row, access)));
  await vi.advanceTimersByTimeAsync(100);
  await writer.settled();
  vi.useRealTimers();
  expect(recorded.mock.calls.map(([entries]) => entries.length)).toEqual([2]);
});

it('writes no row, and no history of one, once the keys are locked', async () => {
  const { rows, writer, access, finish, written, lock } = await createSetup();
  vi.spyOn(harness.jobs, 'finish').mockImplementation(async (finished) => {
    const outcome = await finish(finished);
    lock();
    return outcome;
  });
  await Promise.all(rows.map((row) => writer.add(row, access)));
  await writer.settled();
  expect(await written()).toEqual([true, false]);
  expect(await harness.history.latest(10)).toEqual([]);
});

it('confirms no row that has got another outcome since', async () => {
  const { rows, writer, access } = await createSetup();
  const [first, second] = rows.map((row) => ({ ...row, finishedAt: 1 }));
  if (first === undefined || second === undefined) throw new Error('Two rows were made');
  await Promise.all([first, second].map((row) => writer.add(row, access)));
  await harness.jobs.finish([{ ...first, finishedAt: 2 }]);
  const again = [first, second].map((row) => ({ ...row, times: 7 }));
  await Promise.all(again.map((row) => writer.confirm(row, access)));
  await writer.settled();
  const stored = await harness.jobs.rows(first.jobId);
  expect(stored.map(({ times }) => times)).toEqual([1, 7]);
});

it('takes rows that wait again out of the history, after those that were written before', async () => {
  const { rows, writer, access } = await createSetup();
  const inDoubt = rows.map((row) => ({
    ...row,
    finishedAt: 1,
    outcome: succeed({ kind: 'not-found', msg: '', key: 'unknown', proven: true } as const),
  }));
  await Promise.all(inDoubt.map((row) => writer.add(row, access)));
  // Nothing of it is recorded yet.
  writer.takeBack(inDoubt.slice(0, 1));
  await writer.settled();
  expect(await harness.history.latest(9)).toMatchObject([{ connectionId: access.connection.id }]);
});
