import type { JobStore } from '#adapters/storage/worker/index';
import type {
  Accounts,
  AuthorizedAccess,
  InteractivePriority,
  SellerAccessProvider,
  Validation,
} from '#background/seller/index';
import { type OutcomeSummary, summariseAnswer } from '#core/check/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import { type Fault, searchIn } from '#core/marketplaces/index';
import type { Readers } from '#core/marketplaces/asking';
import { delay } from '#core/time/index';
import { afterFault, type BulkRow, isInDoubt } from '#core/jobs/index';
import type { ItemId } from '#core/item-id';

/** After this many consecutive faults at one connection the job is paused. */
export const faultsInARow = 8;
/** Requests in flight at one connection. */
const concurrency = 6;
const rowsPerRead = 128;
const maxRequestMs = 20_000;
/**
 * How long a key is used after it was read, in milliseconds; if it is locked in the meantime, the job stops within this
 * time.
 */
const accessMs = 1000;
/** The time after which a search among items reports its progress, in milliseconds. */
const stepMs = 3000;
/** The longest pause before the job's state is checked again, in milliseconds. */
const maxPauseMs = 500;
/** The shortest wait that is reported, in milliseconds. */
const toldWaitMs = 2000;
/** How many not-founds may wait for one account check. */
const notFoundsAtOnce = 50;
/** After this time, in milliseconds, an account check is made for not-founds, however few there are. */
const inDoubtMs = 60_000;

export interface BulkRunnerDependencies {
  readonly jobs: JobStore;
  readonly access: SellerAccessProvider;
  readonly accounts: Pick<Accounts, 'checkKey' | 'checkKeyAfter'>;
  readonly validation: Validation;
  readonly priority: InteractivePriority;
  readonly readers: Readers;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface BulkRun {
  readonly jobId: string;
  readonly connectionId: string;
  /** The item that the codes should be for. */
  readonly expectedItemId?: ItemId | undefined;
  /** When this run must end, epoch milliseconds. */
  readonly until: number;
  readonly isStopped: () => boolean;
  /** Called with the fault that prevents requests until a moment, unless the wait is too short to read about. */
  readonly tellWait: (fault: Fault, until: number) => void;
  /**
   * Writes a finished row, unless the keys were locked in the meantime. The next row is read only after this one is
   * written.
   */
  readonly finish: (row: BulkRow, access: AuthorizedAccess) => Promise<void>;
  /** Rewrites a finished not-found whose key has worked since then, under the same condition. */
  readonly confirm: (row: BulkRow, access: AuthorizedAccess) => Promise<void>;
  /** Not-founds of this or an earlier run whose key still has to be checked. The run adds and removes entries. */
  readonly inDoubt: RowInDoubt[];
  /** Returns the stored rows whose key still has to be checked, but only once no row of the job waits. */
  readonly storedInDoubt: () => Promise<readonly BulkRow[]>;
}

/** A not-found that a replaced key may have caused. */
export interface RowInDoubt {
  readonly row: BulkRow;
  /** When the seller answered, epoch milliseconds. */
  readonly answeredAt: number;
}

type RateLimited = Extract<Fault, { kind: 'rate-limited' }>;

/** The result of a run. `nextRunAt`: when to continue, epoch milliseconds. */
export type BulkRunResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'later'; readonly nextRunAt: number }
  /** `revision`: that of the connection with the fault; undefined if there was no connection. */
  | { readonly kind: 'paused'; readonly fault: Fault; readonly revision: number | undefined };

/**
 * Checks the waiting rows of one job at one connection, a few at a time, until time or rows run out or a fault pauses
 * it.
 */
export async function runBulk(
  dependencies: BulkRunnerDependencies,
  run: BulkRun,
): Promise<BulkRunResult> {
  const { accounts, now } = dependencies;
  const queue = createRowQueue(dependencies.jobs, run);
  const access = createAccessCache(dependencies, run.connectionId);
  const state = createRunState(run, now);
  const inDoubt = createRowsInDoubt({ accounts, now, access, run, state });
  const lane = createLane(dependencies, { run, queue, access, state, inDoubt });

  if (await queue.isEmpty()) {
    await inDoubt.checkKeyAtEnd();
    return state.result() ?? { kind: 'empty' };
  }
  await checkKeyFirst(dependencies, run, access, state);
  // One row at a time until the dialect is confirmed, since until then each code may cost several requests.
  if (!access.isDialectConfirmed())
    await lane(() => access.isCleared() || access.isDialectConfirmed());
  // A search among items reports its progress row by row, and uses the whole rate limit by itself.
  const lanes = access.asksByItem() ? 1 : concurrency;
  await Promise.all(Array.from({ length: lanes }, () => lane(() => false)));
  await inDoubt.checkKeyAtEnd();
  return state.result() ?? { kind: 'empty' };
}

/** Checks the key before the first row, since a wrong key makes every code look bad. */
async function checkKeyFirst(
  { accounts, now }: BulkRunnerDependencies,
  run: BulkRun,
  access: AccessCache,
  state: RunState,
): Promise<void> {
  const { authorized, revision } = await access.read();
  const key = authorized.ok
    ? await accounts.checkKey(forBulk(authorized.value, run, now()))
    : authorized;
  if (!key.ok) state.pause(key.fault, revision);
}

/** Returns an access for one row of a run. @param now epoch milliseconds */
function forBulk(
  authorized: AuthorizedAccess,
  { expectedItemId }: BulkRun,
  now: number,
): AuthorizedAccess {
  return omitUndefined({
    ...authorized,
    deadline: now + maxRequestMs,
    priority: 'bulk',
    provesKeyLater: true,
    expectedItemId,
    reportAfter: now + stepMs,
  });
}

/** The state of a run. It continues until it has a result, and sends nothing while it waits. */
interface RunState {
  readonly result: () => BulkRunResult | undefined;
  /** When the next row may be checked, epoch milliseconds. */
  readonly waitUntil: () => number;
  /** Ends the run, unless it has ended already. */
  readonly end: (result: BulkRunResult) => void;
  /** Ends the run with a fault of this revision, even if the run has already ended in another way. */
  readonly pause: (fault: Fault, revision: number | undefined) => void;
  /** Delays all rows until a moment. */
  readonly wait: (fault: Fault, until: number) => void;
  /** Reports a wait, unless it is too short to read about. */
  readonly tellLongWait: (fault: Fault, until: number) => void;
}

function createRunState({ tellWait }: BulkRun, now: () => number): RunState {
  let result: BulkRunResult | undefined;
  let waitUntil = 0;
  const tellLongWait = (fault: Fault, until: number): void => {
    if (searchIn(fault) !== undefined || until >= now() + toldWaitMs) tellWait(fault, until);
  };
  return {
    result: () => result,
    waitUntil: () => waitUntil,
    end: (ended) => (result ??= ended),
    pause(fault, revision) {
      if (result?.kind !== 'paused') result = { kind: 'paused', fault, revision };
    },
    wait(fault, until) {
      tellLongWait(fault, until);
      waitUntil = Math.max(waitUntil, until);
    },
    tellLongWait,
  };
}

interface LaneParts {
  readonly run: BulkRun;
  readonly queue: RowQueue;
  readonly access: AccessCache;
  readonly state: RunState;
  readonly inDoubt: RowsInDoubt;
}

/**
 * Creates a function that checks one row after the other, until the run ends or `isEnough`. Several lanes share the
 * counts of faults.
 */
function createLane(
  { validation, priority, now }: BulkRunnerDependencies,
  { run, queue, access, state, inDoubt }: LaneParts,
): (isEnough: () => boolean) => Promise<void> {
  const { until } = run;
  /** How often each row was checked, by its index. */
  const attempts = new Map<number, number>();
  let faultsSinceAnswer = 0;

  async function nextRow(): Promise<BulkRow | undefined> {
    while (state.result() === undefined) {
      const waitUntil = state.waitUntil();
      if (run.isStopped()) state.end({ kind: 'stopped' });
      else if (now() >= until) state.end({ kind: 'later', nextRunAt: now() });
      else if (waitUntil >= until) state.end({ kind: 'later', nextRunAt: waitUntil });
      else if (now() < waitUntil) {
        await delay(Math.min(maxPauseMs, waitUntil - now()));
        if (now() < waitUntil) await inDoubt.checkKeyNow();
      } else {
        await priority.whenIdle();
        return queue.take();
      }
    }
    return undefined;
  }

  async function checkRow(row: BulkRow): Promise<void> {
    const { authorized, revision } = await access.read();
    if (!authorized.ok) {
      state.pause(authorized.fault, revision);
      return;
    }
    const askedAt = now();
    const validated = await validation.validate(forBulk(authorized.value, run, now()), row.code);
    const { connection: after, outcome, foundSpelling, ageMs } = validated;
    if (after.revision !== revision) access.clear();
    if (!outcome.ok) {
      await handleFault(row, outcome.fault, authorized.value);
      return;
    }
    faultsSinceAnswer = 0;
    const found = foundSpelling === undefined ? row : { ...row, foundSpelling };
    await finish(found, succeed(summariseAnswer(outcome.value)), authorized.value, ageMs);
    // A purchase that was requested after them shows that the key worked.
    if (outcome.value.kind === 'purchase' && ageMs === undefined)
      await inDoubt.confirmBefore(askedAt, authorized.value);
    await inDoubt.checkKeyForBatch();
  }

  async function finish(
    row: BulkRow,
    outcome: OutcomeSummary,
    authorized: AuthorizedAccess,
    ageMs = 0,
  ): Promise<void> {
    const finishedAt = now();
    const finished: BulkRow = { ...row, checkedAt: finishedAt - ageMs, finishedAt, outcome };
    if (isInDoubt(finished)) run.inDoubt.push({ row: finished, answeredAt: finishedAt });
    await run.finish(finished, authorized);
  }

  async function handleFault(
    row: BulkRow,
    fault: Fault,
    authorized: AuthorizedAccess,
  ): Promise<void> {
    const { revision } = authorized.connection;
    const tries = (attempts.get(row.index) ?? 0) + 1;
    attempts.set(row.index, tries);
    const reaction = afterFault(fault, tries);
    if (reaction.do === 'wait') {
      queue.putBack(row);
      state.wait(fault, reaction.until);
    } else if (reaction.do === 'pause') {
      state.pause(fault, revision);
    } else {
      await finish(row, fail(fault), authorized);
      faultsSinceAnswer += 1;
      if (faultsSinceAnswer >= faultsInARow) state.pause(fault, revision);
    }
  }

  return async (isEnough) => {
    for (let row = await nextRow(); row !== undefined; row = await nextRow()) {
      await checkRow(row);
      if (isEnough()) return;
    }
  };
}

/** The not-founds whose key still has to be checked. */
interface RowsInDoubt {
  /** Confirms those that were answered before a moment, since the key has worked after that. */
  readonly confirmBefore: (moment: number, authorized: AuthorizedAccess) => Promise<void>;
  /** Checks the key once many of them wait for it. */
  readonly checkKeyForBatch: () => Promise<void>;
  /** Checks the key while no other request is running. */
  readonly checkKeyNow: () => Promise<void>;
  /** Checks the key when a run ends: at once if the job is done or waits, otherwise only if they are old enough. */
  readonly checkKeyAtEnd: () => Promise<void>;
}

function createRowsInDoubt({
  accounts,
  now,
  access,
  run,
  state,
}: Pick<BulkRunnerDependencies, 'accounts' | 'now'> &
  Pick<LaneParts, 'access' | 'run' | 'state'>): RowsInDoubt {
  const takeAll = (): RowInDoubt[] => run.inDoubt.splice(0);

  /** Rewrites not-founds, since the key has worked after them. */
  async function confirmNotFounds(
    rows: readonly RowInDoubt[],
    authorized: AuthorizedAccess,
  ): Promise<void> {
    await Promise.all(
      rows.map(async ({ row }) => {
        const { outcome } = row;
        if (outcome?.ok !== true || outcome.value.kind !== 'not-found') return;
        const confirmed = succeed({ ...outcome.value, key: 'good' } as const);
        await run.confirm({ ...row, outcome: confirmed }, authorized);
      }),
    );
  }

  /**
   * Checks the key once for several not-founds. Rows whose key cannot be checked now do not change, and are tried again
   * at the end of the job.
   * @returns the rate limit that delays the check, if any
   */
  async function checkKeyOf(rows: readonly RowInDoubt[]): Promise<RateLimited | undefined> {
    if (rows.length === 0) return undefined;
    const { authorized, revision } = await access.read();
    if (!authorized.ok) {
      run.inDoubt.push(...rows);
      state.pause(authorized.fault, revision);
      return undefined;
    }
    const { priority: _, ...asked } = forBulk(authorized.value, run, now());
    const latest = Math.max(...rows.map(({ answeredAt }) => answeredAt));
    const key = await accounts.checkKeyAfter(asked, latest);
    if (key.ok) {
      if (key.value === 'good') await confirmNotFounds(rows, authorized.value);
      return undefined;
    }
    if (key.fault.kind === 'refused') {
      state.pause(key.fault, revision);
      return undefined;
    }
    run.inDoubt.push(...rows);
    return key.fault;
  }

  /** Checks the key for all not-founds of the job, including those from before the worker was last stopped. */
  async function checkKeyForAll(isDone: boolean): Promise<void> {
    const stored = isDone ? await run.storedInDoubt() : [];
    const rows = new Map(takeAll().map((each) => [each.row.index, each]));
    for (const row of stored)
      if (!rows.has(row.index)) rows.set(row.index, { row, answeredAt: now() });
    const limit = await checkKeyOf([...rows.values()]);
    if (limit === undefined) return;
    state.tellLongWait(limit, limit.retryAt);
    state.end({ kind: 'later', nextRunAt: limit.retryAt });
  }

  async function checkKeyNow(): Promise<void> {
    await checkKeyOf(takeAll());
  }

  return {
    async confirmBefore(moment, authorized) {
      const rows = takeAll();
      const isBefore = ({ answeredAt }: RowInDoubt): boolean => answeredAt < moment;
      run.inDoubt.push(...rows.filter((each) => !isBefore(each)));
      await confirmNotFounds(rows.filter(isBefore), authorized);
    },

    async checkKeyForBatch() {
      if (run.inDoubt.length >= notFoundsAtOnce) await checkKeyNow();
    },

    checkKeyNow,

    async checkKeyAtEnd() {
      const result = state.result();
      if (result?.kind === 'paused') return;
      if (result?.kind !== 'later') {
        await checkKeyForAll(result === undefined);
        return;
      }
      const [oldest] = run.inDoubt;
      if (oldest === undefined) return;
      const isWaiting = result.nextRunAt > now();
      if (isWaiting || now() >= oldest.answeredAt + inDoubtMs) await checkKeyNow();
    },
  };
}

interface RowQueue {
  isEmpty(): Promise<boolean>;
  take(): Promise<BulkRow | undefined>;
  putBack(row: BulkRow): void;
}

/** Reads waiting rows from the store in batches, each row once. */
function createRowQueue(jobs: JobStore, { jobId, connectionId }: BulkRun): RowQueue {
  const rows: BulkRow[] = [];
  let from = 0;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const portion = await jobs.waiting(jobId, connectionId, from, rowsPerRead);
    from = (portion.at(-1)?.index ?? from) + 1;
    rows.push(...portion);
  }

  async function fill(): Promise<void> {
    if (rows.length === 0) await (reading ??= read().finally(() => (reading = undefined)));
  }

  return {
    async isEmpty() {
      await fill();
      return rows.length === 0;
    },
    async take() {
      await fill();
      return rows.shift();
    },
    putBack(row) {
      rows.unshift(row);
    },
  };
}

/** An access, or why there is none, and the revision of its connection, if there was one. */
interface ReadAccess {
  readonly authorized: Result<AuthorizedAccess, Fault>;
  readonly revision: number | undefined;
}

interface AccessCache {
  read(): Promise<ReadAccess>;
  clear(): void;
  isCleared(): boolean;
  /** Tells whether the connection had confirmed a code when it was last read. */
  isDialectConfirmed(): boolean;
  /** Tells whether its marketplace checks a code only for one item at a time. */
  asksByItem(): boolean;
}

/** Caches a connection's access for `accessMs`, so that not every row reads the key again. */
function createAccessCache(
  { access, readers, now }: BulkRunnerDependencies,
  connectionId: string,
): AccessCache {
  let cached: (ReadAccess & { readonly until: number }) | undefined;
  let asksByItem = false;
  return {
    async read() {
      let present = cached;
      if (present === undefined || now() >= present.until) {
        const connection = await access.find(connectionId);
        const authorized = await access.authorize(connection);
        present = { authorized, revision: connection?.revision, until: now() + accessMs };
        cached = present;
      }
      const { authorized } = present;
      if (authorized.ok)
        asksByItem = readers.itemReaderOf(authorized.value.connection).asksByItem === true;
      return present;
    },
    clear() {
      cached = undefined;
    },
    isCleared: () => cached === undefined,
    isDialectConfirmed: () =>
      cached?.authorized.ok === true && cached.authorized.value.connection.dialect.proven,
    asksByItem: () => asksByItem,
  };
}
