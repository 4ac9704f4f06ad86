import type { JobStore } from '#adapters/storage/job-store';
import type { BulkAnswer, History } from '#background/check/history';
import type { BulkRow, JobUpdate } from '#core/bulk/job';
import type { Connection } from '#core/connections/connection';

interface RowWriterDependencies {
  readonly jobs: JobStore;
  readonly history: History;
  readonly publishProgress: (update: JobUpdate) => void;
  readonly onStorageFull: (jobId: string) => Promise<void>;
}

interface FinishedRow {
  readonly row: BulkRow;
  readonly connection: Connection;
}

export interface RowWriter {
  /** Queues a finished row; settles when it is written. */
  add(row: BulkRow, connection: Connection): Promise<void>;
  /** Settles when every queued row is written. */
  settled(): Promise<void>;
}

/** Writes finished rows in batches, one transaction each: rows that finish during a write go into the next one. */
export function createRowWriter(outside: RowWriterDependencies): RowWriter {
  const { jobs, history, publishProgress, onStorageFull } = outside;
  let finished: FinishedRow[] = [];
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (finished.length > 0) {
      const batch = finished;
      finished = [];
      const rows = batch.map(({ row }) => row);
      if (!(await jobs.finish(rows)).ok) {
        for (const id of new Set(rows.map(({ jobId }) => jobId))) await onStorageFull(id);
        continue;
      }
      publishProgress({ kind: 'rows', rows });
      for (const [connection, answers] of answersByConnection(batch))
        await history.recordBulk(connection, answers).catch(() => undefined);
    }
    writing = undefined;
  }

  return {
    add(row, connection) {
      finished.push({ row, connection });
      return (writing ??= write());
    },
    settled: async () => {
      while (writing !== undefined) await writing;
    },
  };
}

function answersByConnection(batch: readonly FinishedRow[]): Map<Connection, BulkAnswer[]> {
  const groups = Map.groupBy(batch, ({ connection }) => connection);
  return new Map(
    [...groups].map(([connection, rows]) => [
      connection,
      rows.flatMap(({ row: { code, foundAs, checkedAt, outcome } }) =>
        outcome?.ok === true && checkedAt !== undefined
          ? [{ code, foundAs, checkedAt, answer: outcome.value }]
          : [],
      ),
    ]),
  );
}
