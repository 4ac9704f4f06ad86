import type { JobStore } from '#adapters/storage/worker/index';
import type { AuthorizedAccess, SellerFeature } from '#background/seller/index';
import { type OutcomeSummary, summariseAnswer } from '#core/check/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import { type Fault, searchIn } from '#core/marketplaces/index';
import type { Readers } from '#core/marketplaces/asking';
import { delay } from '#core/time/delay';
import { afterFault, type BulkJob, type BulkRow, isUnproven } from '#core/jobs/index';
import type { ItemId } from '#core/item-id';

/** After so many faults in a row at one connection the job is paused. */
export const faultsInARow = 8;
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
/** The shortest wait that is reported, in milliseconds. */
const toldWaitMs = 2000;
/** How many not-founds may wait for one account check. */
const notFoundsAtOnce = 50;
/** After this time an account check is made for not-founds, however few they are, in milliseconds. */
const unprovenMs = 60_000;

export interface BulkRunnerDependencies {
  readonly jobs: JobStore;
  readonly access: SellerFeature['access'];
  readonly accounts: Pick<SellerFeature['accounts'], 'checkKey' | 'checkKeyAfter'>;
  readonly validation: SellerFeature['validation'];
  readonly priority: SellerFeature['priority'];
  readonly readers: Readers;
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
  /** Called with the fault that stops requests until a moment, unless that moment passes before anyone could read it. */
  readonly tellWait: (fault: Fault, until: number) => void;
  /**
   * Writes a finished row, unless the keys were locked meanwhile. The next row is asked for only when it is written.
   * @param isBelieved false for a not-found whose key is still to be checked: the row comes again once it was
   */
  readonly finish: (row: BulkRow, access: AuthorizedAccess, isBelieved: boolean) => Promise<void>;
  /** Not-founds of this run or one before it whose key is still to be checked. The run adds to them and takes from them. */
  readonly unproven: UnprovenRow[];
  /** Returns the stored rows whose key is still to be checked, once no row of the job waits; before that none. */
  readonly lastUnproven: () => Promise<readonly BulkRow[]>;
}

/** Holds a not-found that a replaced key may have caused. */
export interface UnprovenRow {
  readonly row: BulkRow;
  /** When the seller answered, epoch milliseconds. */
  readonly answeredAt: number;
}

type RateLimited = Extract<Fault, { kind: 'rate-limited' }>;

/** Tells how a run ended. `nextRunAt`: when to continue, epoch milliseconds. */
export type BulkRunResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'later'; readonly nextRunAt: number }
  | { readonly kind: 'paused'; readonly reason: NonNullable<BulkJob['pausedBy']> };

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
    const askedAt = now();
    const {
      connection: after,
      outcome,
      foundSpelling,
      ageMs,
    } = await validation.validate(forBulk(authorized.value), row.code);
    if (after.revision !== connection.revision) access.clear();
    if (!outcome.ok) {
      await handleFault(row, outcome.fault, authorized.value);
      return;
    }
    faultsSinceAnswer = 0;
    const found = foundSpelling === undefined ? row : { ...row, foundSpelling };
    await finish(found, succeed(summariseAnswer(outcome.value)), authorized.value, ageMs);
    // A purchase that was asked for after them says that the key worked.
    if (outcome.value.kind === 'purchase' && ageMs === undefined)
      await believe(take(askedAt), 'good', authorized.value);
    if (run.unproven.length >= notFoundsAtOnce) await proveKey(run.unproven.splice(0));
  }

  /** Takes the unproven not-founds that were answered before a moment. */
  function take(until: number): UnprovenRow[] {
    const taken = run.unproven.filter(({ answeredAt }) => answeredAt < until);
    const left = run.unproven.filter(({ answeredAt }) => answeredAt >= until);
    run.unproven.splice(0, Infinity, ...left);
    return taken;
  }

  /** Writes not-founds again with what is known of the key by now. */
  async function believe(
    rows: readonly UnprovenRow[],
    key: 'good' | 'unknown',
    authorized: AuthorizedAccess,
  ): Promise<void> {
    await Promise.all(
      rows.map(async ({ row }) => {
        const { outcome } = row;
        if (outcome?.ok !== true || outcome.value.kind !== 'not-found') return;
        const believed = { ...row, outcome: succeed({ ...outcome.value, key }) };
        await run.finish(believed, authorized, true);
      }),
    );
  }

  /**
   * Checks the key after not-founds came, once for all of them. Rows whose key cannot be checked now stay as they are, and come
   * again at the job's end.
   * @returns the rate limit that puts it off
   */
  async function proveKey(
    rows: readonly UnprovenRow[],
    isLast = false,
  ): Promise<RateLimited | undefined> {
    const authorized = rows.length > 0 ? await access.read() : undefined;
    if (authorized?.ok !== true) return undefined;
    const { priority: _, ...asked } = forBulk(authorized.value);
    const key = await accounts.checkKeyAfter(
      asked,
      Math.max(...rows.map(({ answeredAt }) => answeredAt)),
    );
    if (key.ok) {
      if (key.value === 'good' || isLast) await believe(rows, key.value, authorized.value);
      return undefined;
    }
    if (key.fault.kind === 'refused') {
      pause(key.fault);
      return undefined;
    }
    run.unproven.push(...rows);
    return key.fault;
  }

  /**
   * Checks the key for the not-founds that are left when a run ends: at once if the job is done, else only once they are old
   * enough.
   */
  async function proveRest(): Promise<void> {
    if (result?.kind === 'paused') return;
    if (result?.kind === 'later') {
      const [oldest] = run.unproven;
      if (oldest !== undefined && now() >= oldest.answeredAt + unprovenMs)
        await proveKey(run.unproven.splice(0));
      return;
    }
    const stored = result === undefined ? await run.lastUnproven() : [];
    const known = new Map(run.unproven.splice(0).map((each) => [each.row.index, each]));
    for (const row of stored)
      if (!known.has(row.index)) known.set(row.index, { row, answeredAt: now() });
    const limit = await proveKey([...known.values()], result === undefined);
    if (limit === undefined) return;
    tellWait(limit, limit.retryAt);
    result ??= { kind: 'later', nextRunAt: limit.retryAt };
  }

  function forBulk(authorized: AuthorizedAccess): AuthorizedAccess {
    return omitUndefined({
      ...authorized,
      deadline: now() + maxRequestMs,
      priority: 'bulk',
      provesKeyLater: true,
      expectedItemId: run.expectedItemId,
      reportAfter: now() + stepMs,
    });
  }

  async function finish(
    row: BulkRow,
    outcome: OutcomeSummary,
    authorized: AuthorizedAccess,
    ageMs = 0,
  ): Promise<void> {
    const finished: BulkRow = { ...row, checkedAt: now() - ageMs, outcome };
    const isBelieved = !isUnproven(finished);
    if (!isBelieved) run.unproven.push({ row: finished, answeredAt: now() });
    await run.finish(finished, authorized, isBelieved);
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
      tellWait(fault, reaction.until);
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

  function tellWait(fault: Fault, until: number): void {
    if (searchIn(fault) !== undefined || until >= now() + toldWaitMs) run.tellWait(fault, until);
  }

  function pause(fault: Fault): void {
    if (result?.kind !== 'paused')
      result = { kind: 'paused', reason: { kind: 'fault', fault, connectionId } };
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

  if (await queue.isEmpty()) {
    await proveRest();
    return result ?? { kind: 'empty' };
  }
  await checkKey();
  // One row at a time while the dialect is unproven: each code may then cost several requests.
  if (!access.isProven()) await checkRows(() => access.isCleared() || access.isProven());
  // A search among items is reported row by row, and takes up the whole pace by itself.
  const lanes = access.asksByItem() ? 1 : concurrency;
  await Promise.all(Array.from({ length: lanes }, () => checkRows(() => false)));
  await proveRest();
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
  { access, readers, now }: BulkRunnerDependencies,
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
        asksByItem = readers.itemReaderOf(cached.access.value.connection).asksByItem === true;
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
