import { isNotFound } from '#core/check/index';
import { bestFirst } from '#core/verdict/index';
import type { BulkJob, BulkRow } from '#core/jobs/job';

/** One code of a job: the row that gives its verdict, and those of the other connections, best first. */
export interface CodeRow extends BulkRow {
  readonly others: readonly BulkRow[];
}

/**
 * Folds the rows of a job, one for each code and connection, to one for each code. A code waits until a connection
 * knows it or all have answered.
 * @param rows in the job's order, which keeps the rows of a code together
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
 * Returns the ids of the connections whose answers a code waits for while others have answered about it; none where no
 * connection has answered yet, once there is a verdict, and while the job does not run.
 */
export function awaitedOf(row: CodeRow, job: Pick<BulkJob, 'state'>): string[] {
  const all = [row, ...row.others];
  const awaited = all.filter(({ outcome }) => outcome === undefined);
  const isAwaited =
    row.outcome === undefined && awaited.length < all.length && job.state === 'running';
  return isAwaited ? awaited.map(({ connectionId }) => connectionId) : [];
}

/** Returns the ids of the connections that a code's verdict is about: every one asked where none knows the code. */
export function connectionsOf({ connectionId, outcome, others }: CodeRow): string[] {
  return [connectionId, ...(isNotFound(outcome) ? others.map((row) => row.connectionId) : [])];
}
