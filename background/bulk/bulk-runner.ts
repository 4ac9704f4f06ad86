import type { JobStore } from '#adapters/storage/job-store';
import type { AuthorizedAccess, SellerAccessProvider } from '#background/seller/access';
import type { Accounts } from '#background/seller/accounts';
import type { InteractivePriority } from '#background/seller/feature';
import type { Validation } from '#background/seller/validation';
import { afterFault, type BulkRow, faultsInARow, type PauseReason } from '#core/bulk/job';
import { type OutcomeSummary, summariseAnswer } from '#core/check/check-report';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import { type Fault, searchIn } from '#core/marketplaces/fault';
import { marketplaceOf } from '#core/marketplaces/marketplaces';
import type { ItemId } from '#core/marketplaces/resources';
import { delay } from '#core/time/delay';

/** Requests in flight at one connection. */
const concurrency = 6;
const rowsPerRead = 128;
const maxRequestMs = 20_000;
/** For how long a key is used once read: a key that was locked meanwhile stops the job within this. */
const accessMs = 1000;
/** After this time a step of a search among items is over, in milliseconds. */
const stepMs = 3000;
/** The longest pause before the job's state is looked at again. */
const maxPauseMs = 500;

export interface BulkRunnerDependencies {
  readonly jobs: JobStore;
  readonly access: SellerAccessProvider;
  readonly accounts: Pick<Accounts, 'checkKey'>;
  readonly validation: Validation;
  readonly priority: InteractivePriority;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Describes one run: one job at one connection. */
export interface BulkRun {
  readonly jobId: string;
  readonly connectionId: string;
  /** The item that the codes should be for. */
  readonly expectedItemId?: ItemId | undefined;
  /** When this run must end, epoch milliseconds. */
  readonly until: number;
  readonly isStopped: () => boolean;
  /** Called with how far the search for a code among the seller's items has come. */
  readonly tellSearch: (search: { readonly asked: number; readonly of: number }) => void;
  /** Writes a finished row, unless the keys were locked meanwhile. The next row is asked for only when it is written. */
  readonly finish: (row: BulkRow, access: AuthorizedAccess) => Promise<void>;
}

/** Tells how a run ended. `nextRunAt`: when to continue, epoch milliseconds. */
export type BulkRunResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'later'; readonly nextRunAt: number }
  | { readonly kind: 'paused'; readonly reason: PauseReason };

/** Checks the waiting rows of one job at one connection, a few at a time, until time or rows run out or a fault pauses it. */
export async function runBulk(
  dependencies: BulkRunnerDependencies,
  run: BulkRun,
): Promise<BulkRunResult> {
  const { accounts, validation, priority, now } = dependencies;
  const { connectionId, until } = run;
  const queue = createRowQueue(dependencies.jobs, run);
  const access = createAccessCache(dependencies, connectionId);
  const attempts = new Map<number, number>();
  let result: BulkRunResult | undefined;
  let waitUntil = 0;
  let faultsSinceAnswer = 0;

  async function nextRow(): Promise<BulkRow | undefined> {
    while (result === undefined) {
      if (run.isStopped()) result = { kind: 'stopped' };
      else if (now() >= until) result = { kind: 'later', nextRunAt: now() };
      else if (waitUntil >= until) result = { kind: 'later', nextRunAt: waitUntil };
      else if (now() < waitUntil) await delay(Math.min(maxPauseMs, waitUntil - now()));
      else {
        await priority.whenIdle();
        return queue.take();
      }
    }
    return undefined;
  }

  async function checkRow(row: BulkRow): Promise<void> {
    const authorized = await access.read();
    if (!authorized.ok) {
      await handleFault(row, authorized.fault, undefined);
      return;
    }
    const { connection } = authorized.value;
    const {
      connection: after,
      outcome,
      foundAs,
      ageMs,
    } = await validation.validate(forBulk(authorized.value), row.code);
    if (after.revision !== connection.revision) access.clear();
    if (!outcome.ok) {
      await handleFault(row, outcome.fault, authorized.value);
      return;
    }
    faultsSinceAnswer = 0;
    const found = foundAs === undefined ? row : { ...row, foundAs };
    await finish(found, succeed(summariseAnswer(outcome.value)), authorized.value, ageMs);
  }

  function forBulk(authorized: AuthorizedAccess): AuthorizedAccess {
    return omitUndefined({
      ...authorized,
      deadline: now() + maxRequestMs,
      priority: 'bulk',
      expectedItemId: run.expectedItemId,
      tellsAt: now() + stepMs,
    });
  }

  async function finish(
    row: BulkRow,
    outcome: OutcomeSummary,
    authorized: AuthorizedAccess,
    ageMs = 0,
  ): Promise<void> {
    await run.finish({ ...row, checkedAt: now() - ageMs, outcome }, authorized);
  }

  async function handleFault(
    row: BulkRow,
    fault: Fault,
    authorized: AuthorizedAccess | undefined,
  ): Promise<void> {
    const tried = (attempts.get(row.index) ?? 0) + 1;
    attempts.set(row.index, tried);
    const reaction = afterFault(fault, tried);
    if (reaction.do === 'wait') {
      const search = searchIn(fault);
      if (search !== undefined) run.tellSearch(search);
      queue.putBack(row);
      waitUntil = Math.max(waitUntil, reaction.until);
    } else if (reaction.do === 'pause' || authorized === undefined) {
      pause(fault);
    } else {
      await finish(row, fail(fault), authorized);
      faultsSinceAnswer += 1;
      if (faultsSinceAnswer >= faultsInARow) pause(fault);
    }
  }

  function pause(fault: Fault): void {
    result ??= { kind: 'paused', reason: { kind: 'fault', fault, connectionId } };
  }

  async function checkRows(isEnough: () => boolean): Promise<void> {
    for (let row = await nextRow(); row !== undefined; row = await nextRow()) {
      await checkRow(row);
      if (isEnough()) return;
    }
  }

  /** Checks the key before the first row: a wrong key makes every code look bad. */
  async function checkKey(): Promise<void> {
    const authorized = await access.read();
    if (!authorized.ok) {
      pause(authorized.fault);
      return;
    }
    const key = await accounts.checkKey(forBulk(authorized.value));
    if (!key.ok) pause(key.fault);
  }

  if (await queue.isEmpty()) return { kind: 'empty' };
  await checkKey();
  // Until the dialect is proven, each code may cost several requests: one row at a time.
  if (!access.isProven()) await checkRows(() => access.isCleared() || access.isProven());
  // A search among items is told row by row, and takes the whole pace alone.
  const lanes = access.asksByItem() ? 1 : concurrency;
  await Promise.all(Array.from({ length: lanes }, () => checkRows(() => false)));
  return result ?? { kind: 'empty' };
}

interface RowQueue {
  isEmpty(): Promise<boolean>;
  take(): Promise<BulkRow | undefined>;
  putBack(row: BulkRow): void;
}

/** Reads waiting rows from the store in portions, each row once. */
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

interface AccessCache {
  read(): Promise<Result<AuthorizedAccess, Fault>>;
  clear(): void;
  isCleared(): boolean;
  /** Tells whether the connection, as last read, has confirmed a code. */
  isProven(): boolean;
  /** Tells whether its marketplace answers for one item at a time. */
  asksByItem(): boolean;
}

/** Keeps a connection's access for `accessMs`, so that not every row reads the key anew. */
function createAccessCache(
  { access, now }: BulkRunnerDependencies,
  connectionId: string,
): AccessCache {
  let cached:
    | { readonly access: Result<AuthorizedAccess, Fault>; readonly until: number }
    | undefined;
  let asksByItem = false;
  return {
    async read() {
      if (cached === undefined || now() >= cached.until)
        cached = { access: await access.authorizeById(connectionId), until: now() + accessMs };
      if (cached.access.ok)
        asksByItem = marketplaceOf(cached.access.value.connection).asksByItem === true;
      return cached.access;
    },
    clear() {
      cached = undefined;
    },
    isCleared: () => cached === undefined,
    isProven: () => cached?.access.ok === true && cached.access.value.connection.dialect.proven,
    asksByItem: () => asksByItem,
  };
}
