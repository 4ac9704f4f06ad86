import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { CollectedCode } from '#core/bulk/index';
import { fail, succeed } from '#core/result';
import { defaultDialect } from '#core/connections/index';
import { market } from '#sandbox/seed/accounts';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { useBulk } from '#stores/bulk/bulk';
import { jobsPort } from '#stores/bulk/ports';
import { askPort } from '#stores/ports';
import { createHeldAnswers } from '#tests/stores/held-answers';
import { useConnections } from '#stores/connections/connections';
import { useUndoOffer } from '#stores/ui/undo-offer';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { withWorker } from '#tests/stores/with-worker';
import { type BulkJob, type BulkRow, type JobUpdate, rowsFor } from '#core/jobs/index';
import type { Ask } from '#messaging/index';

const { supported, lapsed, unknown } = sampleCodes('/market');
const fast = { ...defaultDialect, requestsPerMinute: 6000 };

let harness: WorkerHarness;
let connectionId: string;
beforeEach(async () => {
  harness = await createWorkerHarness();
  ({ id: connectionId } = await harness.connect('/market', { dialect: fast }));
  return () => harness.close();
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function opened(pinia = withWorker(harness)) {
  await useConnections(pinia).load();
  return useBulk(pinia);
}

function collected(...codes: readonly string[]): CollectedCode[] {
  return codes.map((code, at) => ({ code, line: at + 1, times: 1 }));
}

async function untilDone(bulk: Awaited<ReturnType<typeof opened>>): Promise<void> {
  await vi.waitFor(() => {
    expect(bulk.job?.state).toBe('done');
    expect(bulk.done + bulk.failed).toBe(bulk.codes.length);
  }, 20_000);
}

describe('a job', () => {
  test('is run by the worker, and its table fills', async () => {
    const bulk = await opened();
    const id = await bulk.start('codes.csv', collected(supported, lapsed, unknown), [connectionId]);
    await bulk.open(String(id));
    await untilDone(bulk);
    expect(bulk.rows.map(({ code }) => code)).toEqual([supported, lapsed, unknown]);
    expect(bulk.failed).toBe(0);
    expect(bulk.rate).toBe(3);
    expect(bulk.left()).toBeUndefined();
    expect(await harness.jobs.job(String(id))).toMatchObject({ name: 'codes.csv', state: 'done' });
  });

  test('that uses up the pace of its connection says so, and until when', async () => {
    const slow = { ...defaultDialect, requestsPerMinute: 3 };
    const { id: slowId } = await harness.connect('/market', { dialect: slow });
    const bulk = await opened();
    const id = String(await bulk.start('', collected(supported, lapsed, unknown), [slowId]));
    await bulk.open(id);
    await vi.waitFor(() => {
      expect(bulk.standstills()).toMatchObject([
        { connectionId: slowId, fault: { kind: 'rate-limited', by: 'pacing' } },
      ]);
    }, 20_000);
    expect(bulk.standstills()[0]?.until).toBeGreaterThan(Date.now());
    await bulk.setState(id, 'paused');
    await expect.poll(() => bulk.standstills()).toEqual([]);
  });

  test.each([2, 3])(
    'begun after another of %i codes has used up the pace says so, and until when',
    async (count) => {
      const slow = { ...defaultDialect, requestsPerMinute: 3 };
      const { id: slowId } = await harness.connect('/market', { dialect: slow });
      const bulk = await opened();
      const codes = [supported, lapsed, unknown].slice(0, count);
      const first = String(await bulk.start('', collected(...codes), [slowId]));
      await bulk.open(first);
      const waits = [{ connectionId: slowId, fault: { kind: 'rate-limited', by: 'pacing' } }];
      await vi.waitFor(() => {
        if (bulk.job?.state !== 'done') expect(bulk.standstills()).toMatchObject(waits);
      }, 20_000);
      const second = String(await bulk.start('', collected(supported, lapsed), [slowId]));
      await bulk.open(second);
      await vi.waitFor(() => {
        expect(bulk.standstills()).toMatchObject(waits);
      }, 5000);
      await bulk.setState(first, 'paused');
      await bulk.setState(second, 'paused');
    },
  );

  test('counts the codes that have a verdict, as the table shows them, and never all while a connection is still to be asked', async () => {
    const slow = { ...defaultDialect, requestsPerMinute: 3 };
    const { id: slowId } = await harness.connect('/demo', { dialect: slow });
    const bulk = await opened();
    const codes = collected(supported, lapsed, unknown);
    const id = await bulk.start('', codes, [connectionId, slowId]);
    await bulk.open(String(id));
    await vi.waitFor(() => {
      expect(bulk.standstills()).toMatchObject([{ connectionId: slowId }]);
      expect(bulk.rows.filter((row) => row.connectionId === connectionId)).toSatisfy(
        (rows: readonly BulkRow[]) => rows.every(({ outcome }) => outcome !== undefined),
      );
    }, 20_000);
    // The unknown code waits for the slow connection, which may know it.
    expect(bulk.done).toBe(2);
    const known = await bulk.start('', collected(supported), [connectionId, slowId]);
    await bulk.open(String(known));
    await expect.poll(() => bulk.codes[0]?.outcome).toBeDefined();
    expect(bulk.rows.map(({ outcome }) => outcome === undefined)).toContain(true);
    expect(bulk.done).toBe(0);
  });

  test('that was running goes on when the page opens', async () => {
    const before = await opened();
    vi.spyOn(harness, 'ask').mockImplementation(() => Promise.reject(new Error('stopped')));
    const id = await before.start('', collected(supported), [connectionId]);
    vi.restoreAllMocks();

    const bulk = await opened();
    await bulk.load();
    await bulk.open(String(id));
    await untilDone(bulk);
  });

  test('is not begun when the disk is full', async () => {
    const pinia = withWorker(harness, (app) =>
      app.provide(jobsPort, {
        ...harness.jobs,
        add: () => Promise.resolve(fail({ kind: 'storage-full' })),
        watch: () => () => undefined,
      }),
    );
    const bulk = await opened(pinia);
    expect(await bulk.start('', collected(supported), [connectionId])).toBeUndefined();
    expect(bulk.storageFull).toBe(true);
    expect(bulk.jobs ?? []).toEqual([]);
  });

  test('says its counts, and is renamed until that is undone', async () => {
    const pinia = withWorker(harness);
    const bulk = await opened(pinia);
    const id = String(await bulk.start('codes.csv', collected(supported, lapsed), [connectionId]));
    await bulk.open(id);
    await untilDone(bulk);
    await bulk.countJobs(bulk.jobs ?? []);
    expect(bulk.counts.get(id)).toMatchObject({ supported: 1, lapsed: 1, waiting: 0 });
    await bulk.retry(id, 'failed');
    await bulk.rename(id, '  ');
    expect(bulk.job?.name).toBe('codes.csv');
    await bulk.rename(id, ' Refunds ');
    expect(await harness.jobs.jobs()).toMatchObject([{ name: 'Refunds' }]);
    const undo = useUndoOffer(pinia);
    expect(undo.offer).toMatchObject({ list: 'job-names', id, name: 'Refunds' });
    await undo.accept();
    expect(await harness.jobs.jobs()).toMatchObject([{ name: 'codes.csv' }]);
    // It is offered for a shorter while than what is gone.
    const show = vi.spyOn(undo, 'show');
    await bulk.rename(id, 'Returns');
    expect(show.mock.lastCall?.[1]).toBeLessThanOrEqual(Date.now() + 10_000);
  });

  test('of pasted text says the name that was made for it, also once another was given and taken back', async () => {
    const pinia = withWorker(harness);
    const bulk = await opened(pinia);
    const options = { isPasted: true };
    const id = String(await bulk.start('4e2e…74df', collected(supported), [connectionId], options));
    const stored = async () => (await harness.jobs.job(id)) ?? {};
    expect(await stored()).toMatchObject({ name: '4e2e…74df', pastedName: '4e2e…74df' });
    await bulk.rename(id, 'Refunds');
    expect(await stored()).toMatchObject({ name: 'Refunds', pastedName: '4e2e…74df' });
    await useUndoOffer(pinia).accept();
    expect(await stored()).toMatchObject({ name: '4e2e…74df', pastedName: '4e2e…74df' });
    const file = String(await bulk.start('codes.csv', collected(supported), [connectionId]));
    expect(await harness.jobs.job(file)).not.toHaveProperty('pastedName');
  });

  test('has the columns of its file that stand beside the codes', async () => {
    const bulk = await opened();
    const source = {
      file: new Blob([`Order,Code\r\n17,${supported}\r\n`]),
      layout: { delimiter: ',' as const, column: 1, hasHeadings: true, patterns: [] },
    };
    const id = String(
      await bulk.start('codes.csv', collected(supported), [connectionId], { source }),
    );
    await bulk.open(id);
    expect(bulk.own?.titles).toEqual(['Order']);
    expect(bulk.own?.cellsOf(supported)[0]).toBe('17');
    await untilDone(bulk);
  });

  test('leaves its table when it is removed', async () => {
    const bulk = await opened();
    const id = String(await bulk.start('', collected(supported), [connectionId]));
    await bulk.open(id);
    await untilDone(bulk);
    await bulk.remove(id, 'Codes');
    expect(bulk.job).toBeUndefined();
    expect(bulk.rows).toEqual([]);
    expect(await harness.jobs.jobs()).toEqual([]);
  });

  test('that was removed is brought back with its verdicts, and only for a while', async () => {
    const pinia = withWorker(harness);
    const bulk = await opened(pinia);
    const undo = useUndoOffer(pinia);
    const source = {
      file: new Blob([supported]),
      layout: { column: 0, hasHeadings: false, patterns: [] },
    };
    const id = String(
      await bulk.start('codes.csv', collected(supported, lapsed), [connectionId], { source }),
    );
    await bulk.open(id);
    await untilDone(bulk);
    const before = await harness.jobs.rows(id);
    await bulk.remove(id, 'codes.csv');
    expect(undo.offer).toMatchObject({ list: 'jobs', id, name: 'codes.csv' });
    expect(await undo.accept()).toBe(id);
    expect(bulk.jobs?.map((job) => job.id)).toEqual([id]);
    expect(await harness.jobs.rows(id)).toEqual(before);
    expect(await harness.jobs.source(id)).toBeDefined();

    await bulk.remove(id, 'codes.csv');
    harness.pass(31_000);
    await harness.runAlarms();
    expect(await harness.jobs.deletedJobs()).toEqual([]);
    expect(await harness.jobs.rows(id)).toEqual([]);
    expect(await harness.ask('bulk.restore', { jobId: id })).toEqual(fail({ kind: 'no-job' }));
  });

  test('that was removed before the worker stopped is gone for good at its next start', async () => {
    const bulk = await opened();
    const id = String(await bulk.start('', collected(supported), [connectionId]));
    await bulk.open(id);
    await untilDone(bulk);
    await bulk.remove(id, 'Codes');
    await harness.restart();
    expect(await harness.jobs.deletedJobs()).toHaveLength(1);
    harness.pass(31_000);
    await harness.restart();
    expect(await harness.jobs.rows(id)).toEqual([]);
  });

  test('is deleted at once where the disk is too full to note it', async () => {
    const pinia = withWorker(harness);
    const bulk = await opened(pinia);
    const id = String(await bulk.start('', collected(supported), [connectionId]));
    await bulk.open(id);
    await untilDone(bulk);
    harness.setDiskFull(true);
    await bulk.remove(id, 'Codes');
    expect(await harness.jobs.rows(id)).toEqual([]);
    expect(useUndoOffer(pinia).offer).toBeUndefined();
  });

  test('refreshes the verdict on one code, and keeps an answer that it cannot replace', async () => {
    const bulk = await opened();
    const id = String(await bulk.start('', collected(supported, unknown), [connectionId]));
    await bulk.open(id);
    await untilDone(bulk);
    const shown = () => bulk.codes.find(({ code }) => code === supported);
    const [before] = [shown()];
    if (before === undefined) throw new Error('The code is there.');
    await harness.requests();
    expect(await bulk.refresh(before)).toBeUndefined();
    expect((await harness.requests()).length).toBeGreaterThan(0);
    await expect.poll(() => shown()?.checkedAt).toBeGreaterThan(before.checkedAt ?? 0);
    await harness.injectFault({ base: '/market', fault: 'html-500', times: 9 });
    const refreshed = shown();
    expect(await bulk.refresh(before)).toMatchObject({ kind: 'server-error' });
    expect((await harness.jobs.rows(id))[0]?.outcome).toEqual(refreshed?.outcome);
  });

  test('that was cancelled keeps its rows and can be continued', async () => {
    const bulk = await opened();
    await harness.injectFault({ base: '/market', fault: 'latency', ms: 200, times: 2 });
    const id = String(await bulk.start('', collected(supported, lapsed), [connectionId]));
    await bulk.setState(id, 'cancelled');
    await expect.poll(() => bulk.jobs?.[0]?.state).toBe('cancelled');
    await bulk.open(id);
    await bulk.setState(id, 'running');
    await untilDone(bulk);
  });
});

test('the rate is of the rows that were finished, however old the answers of a relay are', async () => {
  const { requestsPerMinute } = fast;
  const codes = [supported, lapsed, unknown];
  const rows = rowsFor('j', collected(...codes), [connectionId]);
  const outcome = succeed({ kind: 'not-found', msg: '', key: 'good', proven: true } as const);
  const finished = rows.map((row, at) => {
    const finishedAt = Date.now() - 1000 + at;
    return { ...row, finishedAt, checkedAt: finishedAt - at * 1_000_000, outcome };
  });
  const waiting = rowsFor('j', collected('later'), [connectionId]).map((row) => ({
    ...row,
    index: 9,
  }));
  const job = { id: 'j', name: '', createdAt: 1, connectionIds: [connectionId] };
  await harness.jobs.add({ ...job, state: 'paused' }, [...rows, ...waiting]);
  await harness.jobs.finish(finished);
  const bulk = await opened();
  await bulk.load();
  await bulk.open('j');
  expect(bulk.rate).toBe(3);
  await harness.jobs.change('j', (one) => ({ ...one, state: 'running' }));
  vi.spyOn(harness, 'ask').mockReturnValue(new Promise(() => undefined));
  await bulk.load();
  expect(bulk.left()).toBeLessThan((2 * 60_000) / requestsPerMinute + 100);
});

test('a job is never shown as finished over rows that are not read yet', async () => {
  const row = { jobId: 'j', index: 0, connectionId: 'c', code: supported, line: 1, times: 1 };
  const stored = { rows: [row] as BulkRow[] };
  const job = { id: 'j', name: '', createdAt: 1, connectionIds: ['c'] };
  let announce: (update: JobUpdate) => void = () => undefined;
  const pinia = withWorker(harness, (app) => {
    app.provide(jobsPort, {
      jobs: () => Promise.resolve([{ ...job, state: 'paused' as const }]),
      rows: () => Promise.resolve(stored.rows),
      source: () => Promise.resolve(undefined),
      add: () => Promise.resolve(succeed(undefined)),
      watch: (changed) => {
        announce = changed;
        return () => undefined;
      },
    });
  });
  const bulk = useBulk(pinia);
  await bulk.load();
  await bulk.open('j');
  // The update with the row itself is lost, as happens to a page that is frozen meanwhile.
  const outcome = fail({ kind: 'offline' } as const);
  stored.rows = [{ ...row, checkedAt: 2, outcome }];
  announce({ kind: 'job', job: { ...job, state: 'done' } });
  expect(bulk.job?.state).toBe('paused');
  await expect.poll(() => bulk.job?.state).toBe('done');
  expect(bulk.rows).toEqual(stored.rows);
});

describe('what changes while rows are read', () => {
  const job = { id: 'j', name: '', createdAt: 1, connectionIds: ['c'], state: 'running' } as const;
  const waiting = rowsFor('j', collected(supported, lapsed), ['c']);
  const answer = fail({ kind: 'offline' } as const);
  const answered = waiting.map((row) => ({ ...row, checkedAt: 2, outcome: answer }));

  /** A page whose rows, and whose worker, answer when they are told to. */
  function reading() {
    const stored = { jobs: [job] as BulkJob[], rows: waiting };
    const rowReads = createHeldAnswers();
    const drives = createHeldAnswers();
    let announce: (update: JobUpdate) => void = () => undefined;
    const pinia = withWorker(harness, (app) => {
      app.provide(askPort, (() => drives.hold({})) as Ask);
      app.provide(jobsPort, {
        jobs: () => Promise.resolve([...stored.jobs]),
        rows: () => rowReads.hold([...stored.rows]),
        source: () => Promise.resolve(undefined),
        add: (added) => {
          stored.jobs = [added, ...stored.jobs];
          return Promise.resolve(succeed(undefined));
        },
        watch: (changed) => {
          announce = changed;
          return () => undefined;
        },
      });
    });
    return {
      bulk: useBulk(pinia),
      stored,
      rowReads,
      drives,
      announce: (update: JobUpdate): void => {
        announce(update);
      },
    };
  }

  test('rows that are announced are shown as announced, and the others as read', async () => {
    const { bulk, stored, rowReads, announce } = reading();
    const opening = bulk.open('j');
    const [first, second] = [waiting.slice(0, 1), waiting.slice(1)];
    announce({ kind: 'rows', rows: answered.slice(0, 1) });
    announce({ kind: 'rows', rows: [{ ...first[0], jobId: 'other' } as BulkRow] });
    await rowReads.release();
    await opening;
    expect(bulk.rows).toEqual([...answered.slice(0, 1), ...second]);
    // The rows were reset, and are read as they were stored after that.
    stored.rows = waiting;
    announce({ kind: 'reset', jobId: 'j' });
    await rowReads.release();
    expect(bulk.rows).toEqual(waiting);
  });

  test('a job that is started stays in the list', async () => {
    const { bulk, rowReads, drives } = reading();
    await bulk.load();
    const opening = bulk.open('j');
    await rowReads.release();
    await opening;
    // The worker has no job left to run: the page reads list and rows once more.
    await drives.release();
    const id = String(await bulk.start('', collected(unknown), ['c']));
    await rowReads.release();
    expect(bulk.jobs?.map((one) => one.id)).toEqual([id, 'j']);
  });

  test('a job that is removed does not come back, and one that goes on is not shown as finished', async () => {
    const { bulk, stored, rowReads, drives, announce } = reading();
    stored.jobs = [job, { ...job, id: 'k', state: 'paused' }];
    await bulk.load();
    const opening = bulk.open('j');
    await rowReads.release();
    await opening;
    stored.jobs = [
      { ...job, state: 'done' },
      { ...job, id: 'k', state: 'paused' },
    ];
    await drives.release();
    announce({ kind: 'removed', jobId: 'k' });
    announce({ kind: 'job', job: { ...job, name: 'Again' } });
    await rowReads.release();
    expect(bulk.jobs).toEqual([{ ...job, name: 'Again' }]);
  });

  test('an older state of a job is not shown after a newer one, nor after its removal', async () => {
    const { bulk, rowReads, announce } = reading();
    await bulk.load();
    const opening = bulk.open('j');
    await rowReads.release();
    await opening;
    announce({ kind: 'job', job: { ...job, state: 'done' } });
    announce({ kind: 'job', job });
    await rowReads.release();
    expect(bulk.job?.state).toBe('running');
    announce({ kind: 'job', job: { ...job, state: 'done' } });
    announce({ kind: 'removed', jobId: 'j' });
    await rowReads.release();
    expect(bulk.jobs).toEqual([]);
  });
});

describe('a fault', () => {
  test('that every row would meet pauses the job; without that connection the rest goes on', async () => {
    const demo = await harness.connect('/demo', { dialect: fast, apiKey: 'wrong-key-1234567890' });
    const bulk = await opened();
    const id = String(await bulk.start('', collected(supported, unknown), [connectionId, demo.id]));
    await bulk.open(id);
    await vi.waitFor(() => {
      expect(bulk.job?.pausedBy).toMatchObject({ kind: 'fault', connectionId: demo.id });
    }, 20_000);
    await bulk.skipConnection(id, demo.id);
    await untilDone(bulk);
    expect(bulk.codes.map(({ outcome }) => outcome?.ok)).toEqual([true, false]);
    expect(bulk.failed).toBe(1);
    await bulk.retry(id, 'failed');
    await vi.waitFor(() => {
      expect(bulk.job?.state).toBe('paused');
    }, 20_000);
  });

  test('that stopped a job leaves nothing behind: going on asks again about what it cost', async () => {
    const bulk = await opened();
    await harness.injectFault({ base: '/market', fault: 'html-500', times: 999 });
    const codes = collected(...market.purchases.slice(0, 12).map(({ code }) => code));
    const id = String(await bulk.start('', codes, [connectionId]));
    await bulk.open(id);
    await vi.waitFor(() => {
      expect(bulk.job?.pausedBy?.kind).toBe('fault');
      expect(bulk.failed).toBeGreaterThan(0);
    }, 20_000);
    await harness.clearFaults();
    if (bulk.job === undefined) throw new Error('The job is gone.');
    await bulk.resume(bulk.job);
    await untilDone(bulk);
    expect(bulk.failed).toBe(0);
  });
});

test('rows of a job that was opened before do not replace those of the one opened after it', async () => {
  const slow = Promise.withResolvers<undefined>();
  const pinia = withWorker(harness, (app) =>
    app.provide(jobsPort, {
      ...harness.jobs,
      rows: async (jobId) => {
        const rows = await harness.jobs.rows(jobId);
        if (jobId === first) await slow.promise;
        return rows;
      },
      watch: () => () => undefined,
    }),
  );
  const bulk = await opened(pinia);
  const first = await bulk.start('', collected(supported), [connectionId]);
  const second = await bulk.start('', collected(lapsed), [connectionId]);
  const opening = bulk.open(String(first));
  await bulk.open(String(second));
  slow.resolve(undefined);
  await opening;
  expect(bulk.rows.map(({ code }) => code)).toEqual([lapsed]);
});
