import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type BulkRun, faultsInARow, runBulk } from '#background/bulk/bulk-runner';
import type { AuthorizedAccess, SellerAccessProvider } from '#background/seller/access';
import { createInteractivePriority } from '#background/seller/interactive-priority';
import type { ValidationResult } from '#background/seller/validation';
import { type Connection, defaultDialect } from '#core/connections/index';
import { type Result, fail, succeed } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import { laterReaders, readersFrom } from '#core/marketplaces/asking';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { type BulkRow, rowsFor } from '#core/jobs/index';

const start = Date.UTC(2026, 10, 22);
const timeout: Fault = { kind: 'timeout', afterMs: 20_000 };

let harness: WorkerHarness;
let connection: Connection;
beforeEach(async () => {
  harness = await createWorkerHarness();
  connection = await harness.connect('/market', { dialect: { ...defaultDialect, proven: true } });
});
afterEach(() => harness.close());

/** What the seller's side says; each may be replaced by a test. */
interface Seller {
  readonly validate: (code: string, access: AuthorizedAccess) => Promise<Partial<ValidationResult>>;
  readonly authorize: () => Result<AuthorizedAccess, Fault>;
  readonly checkKey: () => Result<'good' | 'unknown', Extract<Fault, { kind: 'refused' }>>;
}

const notFound: ValidationResult['outcome'] = succeed({
  kind: 'not-found',
  msg: '',
  key: 'good',
  proven: true,
});

/**
 * Stores a job of so many codes and returns how to run it at a seller, and what was asked, finished and read meanwhile.
 */
async function createSetup(count: number, seller: Partial<Seller> = {}) {
  const jobId = crypto.randomUUID();
  const codes = Array.from({ length: count }, (_, at) => `code-${String(at)}`);
  const collected = codes.map((code, at) => ({ code, line: at + 1, times: 1 }));
  const job = { name: '', createdAt: start, connectionIds: [connection.id] };
  const rows = rowsFor(jobId, collected, [connection.id]);
  await harness.jobs.add({ id: jobId, ...job, state: 'running' }, rows);

  const seen = {
    codes,
    asked: [] as string[],
    finished: [] as BulkRow[],
    reads: 0,
    keyChecks: 0,
    laterKeyChecks: 0,
    now: start,
    mostAtOnce: 0,
  };
  const allowed: AuthorizedAccess = {
    connection,
    apiKey: 'key',
    deadline: start,
    wasLocked: () => false,
  };
  let underWay = 0;
  const run = (changes: Partial<BulkRun> = {}) =>
    runBulk(
      {
        jobs: harness.jobs,
        now: () => seen.now,
        priority: createInteractivePriority(),
        readers: readersFrom(() => laterReaders),
        access: {
          find: () => Promise.resolve(connection),
          authorize: () => {
            seen.reads += 1;
            return Promise.resolve((seller.authorize ?? (() => succeed(allowed)))());
          },
        } satisfies Partial<SellerAccessProvider> as unknown as SellerAccessProvider,
        accounts: {
          checkKey: () => {
            seen.keyChecks += 1;
            return Promise.resolve((seller.checkKey ?? (() => succeed('good' as const)))());
          },
          checkKeyAfter: () => {
            seen.laterKeyChecks += 1;
            return Promise.resolve(succeed('good'));
          },
        },
        validation: {
          validate: async (access, code) => {
            seen.asked.push(code);
            underWay += 1;
            seen.mostAtOnce = Math.max(seen.mostAtOnce, underWay);
            const result = await (seller.validate ?? (() => Promise.resolve({})))(code, access);
            underWay -= 1;
            return { connection: access.connection, outcome: notFound, ...result };
          },
          detectDialect: () => Promise.resolve(fail(timeout)),
        },
      },
      {
        jobId,
        connectionId: connection.id,
        until: start + 10_000,
        isStopped: () => false,
        tellWait: () => undefined,
        inDoubt: [],
        storedInDoubt: () => Promise.resolve([]),
        finish: (row) => {
          seen.finished.push(row);
          return Promise.resolve();
        },
        confirm: () => Promise.resolve(),
        ...changes,
      },
    );
  return { seen, run, allowed };
}

/** How a run ends that a fault of the connection pauses. */
function paused(fault: Fault) {
  return { kind: 'paused', fault, revision: connection.revision };
}

describe('a run ends', () => {
  it('at once where no row waits, without a word to the seller', async () => {
    const { seen, run } = await createSetup(0);
    expect(await run()).toEqual({ kind: 'empty' });
    expect(seen).toMatchObject({ asked: [], keyChecks: 0 });
  });

  it('when every row has its answer, each asked once and in portions', async () => {
    const { seen, run } = await createSetup(300);
    expect(await run()).toEqual({ kind: 'empty' });
    expect(seen.asked.toSorted()).toEqual(seen.codes.toSorted());
    expect(seen.finished).toHaveLength(300);
  });

  it('when it is stopped', async () => {
    const { seen, run } = await createSetup(20);
    expect(await run({ isStopped: () => seen.asked.length > 0 })).toEqual({ kind: 'stopped' });
    expect(seen.asked.length).toBeLessThan(20);
    const { seen: never, run: runStopped } = await createSetup(2);
    expect(await runStopped({ isStopped: () => true })).toEqual({ kind: 'stopped' });
    expect(never.asked).toEqual([]);
  });

  it('when its time is over, to the millisecond', async () => {
    const { seen, run } = await createSetup(2);
    expect(await run({ until: start })).toEqual({ kind: 'later', nextRunAt: start });
    expect(seen.asked).toEqual([]);
  });

  it('when the seller asks to wait until its time is over or longer', async () => {
    for (const retryAt of [start + 10_000, start + 60_000]) {
      const { seen, run } = await createSetup(1, {
        validate: () =>
          Promise.resolve({ outcome: fail({ kind: 'rate-limited', retryAt, by: 'server' }) }),
      });
      expect(await run()).toEqual({ kind: 'later', nextRunAt: retryAt });
      expect(seen.asked).toHaveLength(1);
      expect(seen.finished).toEqual([]);
    }
  });
});

describe('a fault', () => {
  it('that asks to wait is waited for, and the row is asked about again', async () => {
    const moments: number[] = [];
    const { seen, run } = await createSetup(1, {
      validate: () => {
        moments.push(Date.now());
        if (moments.length > 1) return Promise.resolve({});
        const retryAt = Date.now() + 50;
        return Promise.resolve({ outcome: fail({ kind: 'rate-limited', retryAt, by: 'server' }) });
      },
    });
    Object.defineProperty(seen, 'now', { get: () => Date.now() });
    expect(await run({ until: Date.now() + 10_000 })).toEqual({ kind: 'empty' });
    const [first = 0, second = 0] = moments;
    expect(second - first).toBeGreaterThanOrEqual(50);
    expect(seen.finished).toMatchObject([{ code: 'code-0', outcome: { ok: true } }]);
  });

  it('of the server is asked past three times at most, and is the row’s outcome then', async () => {
    const fault: Fault = { kind: 'server-error', status: 503, retryAt: start };
    const { seen, run } = await createSetup(1, {
      validate: () => Promise.resolve({ outcome: fail(fault) }),
    });
    expect(await run()).toEqual({ kind: 'empty' });
    expect(seen.asked).toHaveLength(3);
    expect(seen.finished).toMatchObject([{ outcome: fail(fault) }]);
  });

  it(`in ${String(faultsInARow)} rows one after the other pauses the job`, async () => {
    connection = { ...connection, dialect: { ...connection.dialect, proven: false } };
    const { seen, run } = await createSetup(faultsInARow + 1, {
      validate: () => Promise.resolve({ outcome: fail(timeout) }),
    });
    expect(await run()).toEqual(paused(timeout));
    expect(seen.asked).toHaveLength(faultsInARow);
  });

  it('is forgotten after an answer', async () => {
    connection = { ...connection, dialect: { ...connection.dialect, proven: false } };
    const answered = `code-${String(faultsInARow - 1)}`;
    const { seen, run } = await createSetup(2 * faultsInARow - 1, {
      validate: (code) => Promise.resolve(code === answered ? {} : { outcome: fail(timeout) }),
    });
    expect(await run()).toEqual({ kind: 'empty' });
    expect(seen.finished).toHaveLength(2 * faultsInARow - 1);
  });

  it('of the access pauses the job before the first row is asked about', async () => {
    const { seen, run } = await createSetup(2, { authorize: () => fail({ kind: 'locked' }) });
    expect(await run()).toEqual(paused({ kind: 'locked' }));
    expect(seen).toMatchObject({ asked: [], keyChecks: 0 });
  });

  it('of the key pauses the job before the first row is asked about', async () => {
    const fault = { kind: 'refused', about: 'key', msg: '' } as const;
    const { seen, run } = await createSetup(2, { checkKey: () => fail(fault) });
    expect(await run()).toEqual(paused(fault));
    expect(seen.asked).toEqual([]);
  });

  it('of the access pauses the job between two rows', async () => {
    connection = { ...connection, dialect: { ...connection.dialect, proven: false } };
    let wasLocked = false;
    const setup = await createSetup(2, {
      authorize: () => (wasLocked ? fail({ kind: 'locked' }) : succeed(setup.allowed)),
      validate: () => {
        wasLocked = true;
        setup.seen.now += 1000;
        return Promise.resolve({});
      },
    });
    expect(await setup.run()).toEqual(paused({ kind: 'locked' }));
    expect(setup.seen.asked).toHaveLength(1);
    expect(setup.seen.finished).toHaveLength(1);
  });
});

describe('a fault that pauses', () => {
  it('is one of the connection as it was asked, though its key was saved anew meanwhile', async () => {
    const asked = connection.revision;
    const fault = { kind: 'refused', about: 'key', msg: '' } as const;
    const { run } = await createSetup(1, {
      validate: () => {
        connection = { ...connection, revision: asked + 1 };
        return Promise.resolve({ outcome: fail(fault) });
      },
    });
    expect(await run()).toEqual({ kind: 'paused', fault, revision: asked });
  });
});

describe('the key', () => {
  it('is read once for what is asked within a second', async () => {
    const { seen, run } = await createSetup(20);
    await run();
    expect(seen.reads).toBe(1);
  });

  it('is read again when the connection was changed meanwhile', async () => {
    const { seen, run } = await createSetup(2, {
      validate: (_, access) => {
        const { revision } = access.connection;
        return Promise.resolve({ connection: { ...access.connection, revision: revision + 1 } });
      },
    });
    await run();
    expect(seen.reads).toBeGreaterThan(1);
  });
});

describe('a not-found', () => {
  const inDoubt: ValidationResult['outcome'] = succeed({
    kind: 'not-found',
    msg: '',
    key: 'unknown',
    proven: true,
  });

  it('whose key is in doubt waits for the key to be checked, once for all such, and no other does', async () => {
    const known = await createSetup(3);
    await known.run();
    expect(known.seen.laterKeyChecks).toBe(0);
    const setup = await createSetup(3, { validate: () => Promise.resolve({ outcome: inDoubt }) });
    const confirmed: BulkRow[] = [];
    await setup.run({ confirm: (row) => Promise.resolve(void confirmed.push(row)) });
    expect(setup.seen.laterKeyChecks).toBe(1);
    expect(confirmed.map(({ index }) => index).sort()).toEqual([0, 1, 2]);
  });
});

describe('rows', () => {
  it('are asked about one at a time until the way of asking is proven, and six at a time then', async () => {
    const proven = connection;
    connection = { ...proven, dialect: { ...proven.dialect, proven: false } };
    let isConfirmed = false;
    const mostBefore: number[] = [];
    const setup = await createSetup(20, {
      authorize: () => succeed({ ...setup.allowed, connection: isConfirmed ? proven : connection }),
      validate: async (_, access) => {
        await new Promise((done) => setTimeout(done, 5));
        if (!isConfirmed) mostBefore.push(setup.seen.mostAtOnce);
        if (setup.seen.asked.length < 3 || isConfirmed) return {};
        isConfirmed = true;
        return { connection: { ...access.connection, revision: proven.revision + 1 } };
      },
    });
    expect(await setup.run()).toEqual({ kind: 'empty' });
    expect(mostBefore).toEqual([1, 1, 1]);
    expect(setup.seen.mostAtOnce).toBe(6);
  });

  it('say when their answer was true, and as what the code was found', async () => {
    const { seen, run } = await createSetup(2, {
      validate: (code) =>
        Promise.resolve(code === 'code-0' ? { ageMs: 4000, foundSpelling: 'spelt-so' } : {}),
    });
    await run();
    const [aged, fresh] = seen.finished;
    const finishedAt = start;
    expect(aged).toMatchObject({ checkedAt: start - 4000, finishedAt, foundSpelling: 'spelt-so' });
    expect(fresh).toMatchObject({ checkedAt: start });
    expect(fresh).not.toHaveProperty('foundSpelling');
  });
});
