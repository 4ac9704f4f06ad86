import { afterFault, faultsInARow } from '#core/bulk/after-fault';
import type { BulkRow, PauseReason } from '#core/bulk/job';
import { type OutcomeSummary, summariseAnswer } from '#core/history/brief';
import { type Result, fail, succeed } from '#core/result';
import type { Connection } from '#core/connections/connection';
import type { Fault } from '#core/seller/fault';
import type { JobStore } from '#adapters/storage/job-store';
import type { SellerAccessProvider } from '#background/seller/access';
import type { Accounts } from '#background/seller/accounts';
import type { Access } from '#background/seller/seller-client';
import type { Foreground } from '#background/seller/foreground';
import type { Validation } from '#background/seller/validation';

/** Questions under way at one connection. */
const lanes = 6;
const chunk = 128;
const questionMs = 20_000;
/** How long a key, once read, is used: a key that was locked meanwhile stops the job within this. */
const accessMs = 1000;

export interface BulkRunnerParts {
  readonly jobs: JobStore;
  readonly sellerAccess: SellerAccessProvider;
  readonly accounts: Accounts;
  readonly validation: Validation;
  readonly foreground: Foreground;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What one run along a belt is about. */
export interface BulkRun {
  readonly jobId: string;
  readonly connectionId: string;
  /** When to stop for this time, epoch milliseconds. */
  readonly until: number;
  readonly isStopped: () => boolean;
  /** Takes a finished row. Not waited for. */
  readonly finish: (row: BulkRow, connection: Connection) => void;
}

/** How it ended. `again`: when it is worth going on, epoch milliseconds. */
export type BulkRunResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'later'; readonly again: number }
  | { readonly kind: 'paused'; readonly reason: PauseReason };

/** Asks one connection about the waiting rows of one job, a few at a time, until time or rows or patience run out. */
export async function runBulk(parts: BulkRunnerParts, run: BulkRun): Promise<BulkRunResult> {
  const { jobs, sellerAccess, accounts, validation, foreground, now } = parts;
  const { jobId, connectionId, until } = run;
  const queue: BulkRow[] = [];
  const tries = new Map<number, number>();
  let from = 0;
  let end: BulkRunResult | undefined;
  let holdUntil = 0;
  let faults = 0;
  let filling: Promise<void> | undefined;
  let held: { readonly access: Result<Access, Fault>; readonly until: number } | undefined;

  async function gain(): Promise<Result<Access, Fault>> {
    if (held === undefined || now() >= held.until)
      held = {
        access: await sellerAccess.gain(await sellerAccess.find(connectionId)),
        until: now() + accessMs,
      };
    return held.access;
  }

  async function fill(): Promise<void> {
    const rows = await jobs.waiting(jobId, connectionId, from, chunk);
    from = (rows.at(-1)?.index ?? from) + 1;
    queue.push(...rows);
  }

  async function next(): Promise<BulkRow | undefined> {
    while (end === undefined) {
      if (run.isStopped()) end = { kind: 'stopped' };
      else if (now() >= until) end = { kind: 'later', again: now() };
      else if (holdUntil >= until) end = { kind: 'later', again: holdUntil };
      else if (now() < holdUntil) await after(Math.min(500, holdUntil - now()));
      else {
        await foreground.idle();
        if (queue.length === 0) await (filling ??= fill().finally(() => (filling = undefined)));
        return queue.shift();
      }
    }
    return undefined;
  }

  async function askAbout(row: BulkRow): Promise<void> {
    const access = await gain();
    if (!access.ok) {
      meet(row, access.fault, undefined);
      return;
    }
    const { connection } = access.value;
    const { connection: afterwards, outcome } = await validation.validate(
      { ...access.value, deadline: now() + questionMs, lane: 'bulk' },
      row.code,
    );
    if (afterwards.revision !== connection.revision) held = undefined;
    if (!outcome.ok) {
      meet(row, outcome.fault, connection);
      return;
    }
    faults = 0;
    finish(row, succeed(summariseAnswer(outcome.value)), connection);
  }

  function finish(row: BulkRow, outcome: OutcomeSummary, connection: Connection): void {
    run.finish({ ...row, checkedAt: now(), outcome }, connection);
  }

  function meet(row: BulkRow, fault: Fault, connection: Connection | undefined): void {
    const tried = (tries.get(row.index) ?? 0) + 1;
    tries.set(row.index, tried);
    const then = afterFault(fault, tried);
    if (then.do === 'wait') {
      queue.unshift(row);
      holdUntil = Math.max(holdUntil, then.until);
    } else if (then.do === 'pause' || connection === undefined) {
      pause(fault);
    } else {
      finish(row, fail(fault), connection);
      faults += 1;
      if (faults >= faultsInARow) pause(fault);
    }
  }

  function pause(fault: Fault): void {
    end ??= { kind: 'paused', reason: { kind: 'fault', fault, connectionId } };
  }

  async function lane(isLast: () => boolean): Promise<void> {
    for (let row = await next(); row !== undefined; row = await next()) {
      await askAbout(row);
      if (isLast()) return;
    }
  }

  /** A wrong key makes every code look bad, so it is settled before the first is asked about. */
  async function beginsWell(): Promise<boolean> {
    await fill();
    if (queue.length === 0) return false;
    const access = await gain();
    if (!access.ok) pause(access.fault);
    else {
      const key = await accounts.judgeKey({
        ...access.value,
        deadline: now() + questionMs,
        lane: 'bulk',
      });
      if (!key.ok) pause(key.fault);
    }
    return end === undefined;
  }

  const isProven = (): boolean =>
    held?.access.ok === true && held.access.value.connection.dialect.proven;

  if (await beginsWell()) {
    // Until a way of asking is proven, each code may cost several questions: one at a time.
    if (!isProven()) await lane(() => held === undefined || isProven());
    await Promise.all(Array.from({ length: lanes }, () => lane(() => false)));
  }
  return end ?? { kind: 'empty' };
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
