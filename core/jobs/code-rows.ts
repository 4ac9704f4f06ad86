import { isNotFound } from '#core/check/index';
import { bestFirst } from '#core/verdict/index';
import type { BulkJob, BulkRow } from '#core/jobs/job';

/** One code of a job: the row that gives its verdict, and the rows of the other connections, best first. */
export interface CodeRow extends BulkRow {
  readonly others: readonly BulkRow[];
}

/**
 * Folds the rows of a job, one per code and connection, into one per code. A code waits until a connection knows it or
 * all have answered.
 * @param rows in the job's order, in which the rows of a code are adjacent
 * @param now epoch milliseconds
 */
export function codeRowsOf(rows: readonly BulkRow[], now: number): CodeRow[] {
  const folded: CodeRow[] = [];
  for (let at = 0; at < rows.length;) {
    let end = at + 1;
    while (rows[end] !== undefined && rows[end]?.code === rows[at]?.code) end += 1;
    const [lead, ...others] = bestFirst(rows.slice(at, end), now);
    if (lead !== undefined) folded.push({ ...lead, others });
    at = end;
  }
  return folded;
}

/**
 * Returns the ids of the connections whose answers a code still waits for after others have answered. Empty if no
 * connection has answered yet, if there is a verdict, or if the job is not running.
 */
export function awaitedOf(row: CodeRow, job: Pick<BulkJob, 'state'>): string[] {
  const all = [row, ...row.others];
  const awaited = all.filter(({ outcome }) => outcome === undefined);
  const isAwaited =
    row.outcome === undefined && awaited.length < all.length && job.state === 'running';
  return isAwaited ? awaited.map(({ connectionId }) => connectionId) : [];
}

/** Returns the ids of the connections that a code's verdict is about: all that were asked if none knows the code. */
export function connectionsOf({ connectionId, outcome, others }: CodeRow): string[] {
  return [connectionId, ...(isNotFound(outcome) ? others.map((row) => row.connectionId) : [])];
}
