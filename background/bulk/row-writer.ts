import type { JobStore } from '#adapters/storage/job-store';
import type { BulkAnswer, History } from '#background/check/history';
import type { AuthorizedAccess } from '#background/seller/access';
import type { BulkRow, JobUpdate } from '#core/bulk/job';

interface RowWriterDependencies {
  readonly jobs: JobStore;
  readonly history: History;
  readonly publishProgress: (update: JobUpdate) => void;
  readonly onStorageFull: (jobId: string) => Promise<void>;
}

interface FinishedRow {
  readonly row: BulkRow;
  readonly access: AuthorizedAccess;
}

export interface RowWriter {
  /** Queues a finished row; settles when it is written. A row stays waiting when the keys are locked before. */
  add(row: BulkRow, access: AuthorizedAccess): Promise<void>;
  /** Settles when every queued row is written. */
  settled(): Promise<void>;
}

/** Writes finished rows in batches, one transaction each: rows that finish during a write go into the next one. */
export function createRowWriter(dependencies: RowWriterDependencies): RowWriter {
  const { jobs, history, publishProgress, onStorageFull } = dependencies;
  let finished: FinishedRow[] = [];
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (finished.length > 0) {
      const batch = finished.filter(({ access }) => !access.isLocked());
      finished = [];
      const rows = batch.map(({ row }) => row);
      if (!(await jobs.finish(rows)).ok) {
        for (const id of new Set(rows.map(({ jobId }) => jobId))) await onStorageFull(id);
        continue;
      }
      publishProgress({ kind: 'rows', rows });
      for (const [access, answers] of answersByAccess(batch))
        await history.recordBulk(access, answers).catch(() => undefined);
    }
    writing = undefined;
  }

  return {
    add(row, access) {
      finished.push({ row, access });
      return (writing ??= write());
    },
    settled: async () => {
      while (writing !== undefined) await writing;
    },
  };
}

function answersByAccess(batch: readonly FinishedRow[]): Map<AuthorizedAccess, BulkAnswer[]> {
  const groups = Map.groupBy(batch, ({ access }) => access);
  return new Map(
    [...groups].map(([access, rows]) => [
      access,
      rows.flatMap(({ row: { jobId, code, foundAs, checkedAt, outcome } }) =>
        outcome?.ok === true && checkedAt !== undefined
          ? [{ jobId, code, foundAs, checkedAt, answer: outcome.value }]
          : [],
      ),
    ]),
  );
}
