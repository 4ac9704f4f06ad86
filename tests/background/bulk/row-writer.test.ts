import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createRowWriter } from '#background/bulk/row-writer';
import { createHistory } from '#background/check/history';
import { rowsFor } from '#core/bulk/job';
import { succeed } from '#core/result';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

it('writes no row, and no history of one, once the keys are locked', async () => {
  const connection = await harness.connect('/market');
  const jobId = crypto.randomUUID();
  const codes = ['a', 'b'].map((code, at) => ({ code, line: at + 1, times: 1 }));
  const rows = rowsFor(jobId, codes, [connection.id]);
  const job = { name: '', createdAt: 1, connectionIds: [connection.id] };
  await harness.jobs.add({ id: jobId, ...job, state: 'running' }, rows);
  let isLocked = false;
  const access = { connection, apiKey: '', deadline: 0, isLocked: () => isLocked };
  const finish = harness.jobs.finish.bind(harness.jobs);
  vi.spyOn(harness.jobs, 'finish').mockImplementation(async (finished) => {
    const written = await finish(finished);
    isLocked = true;
    return written;
  });
  const writer = createRowWriter({
    jobs: harness.jobs,
    history: createHistory({
      store: harness.history,
      access: { find: () => Promise.resolve(connection) },
      now: () => 1,
    }),
    publishProgress: () => undefined,
    onStorageFull: () => Promise.resolve(),
  });
  const outcome = succeed({ kind: 'not-found', msg: '', key: 'good', proven: true } as const);
  await Promise.all(rows.map((row) => writer.add({ ...row, checkedAt: 1, outcome }, access)));
  await writer.settled();
  expect((await harness.jobs.rows(jobId)).map((row) => 'outcome' in row)).toEqual([true, false]);
  expect(await harness.history.latest(10)).toEqual([]);
});
