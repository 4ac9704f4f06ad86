import type { JobStore } from '#adapters/storage/worker/index';
import type { BulkAnswer, History } from '#background/check/history';
import type { AuthorizedAccess } from '#background/seller/index';
import { delay } from '#core/time/index';
import { questionAbout } from '#core/check/index';
import type { BulkRow, JobUpdate } from '#core/jobs/index';

interface RowWriterDependencies {
  readonly jobs: JobStore;
  readonly history: History;
  /** Tells whether a job asks more than one connection. */
  readonly asksSeveral: (jobId: string) => boolean;
  readonly publishProgress: (update: JobUpdate) => void;
  readonly onStorageFull: (jobId: string) => Promise<void>;
}

interface FinishedRow {
  readonly row: BulkRow;
  readonly access: AuthorizedAccess;
  readonly isFinal: boolean;
}

export interface RowWriter {
  /**
   * Queues a finished row; settles when it is written. A row stays waiting when the keys are locked before.
   * @param isFinal whether its answer goes into the history as well
   */
  add(row: BulkRow, access: AuthorizedAccess, isFinal: boolean): Promise<void>;
  /** Settles when every queued row is written, and its answer recorded in the history. */
  settled(): Promise<void>;
}

/**
 * Milliseconds for which answers are collected for the history: recording costs three transactions, however few they
 * are.
 */
const collectMs = 100;

/**
 * Writes finished rows in batches, one transaction each: rows that finish during a write go into the next one. The
 * history is recorded beside that, so that no row waits for it.
 */
export function createRowWriter(dependencies: RowWriterDependencies): RowWriter {
  const { jobs, history, publishProgress, onStorageFull } = dependencies;
  let finished: FinishedRow[] = [];
  let written: FinishedRow[] = [];
  let writing: Promise<void> | undefined;
  let nextWrite: Promise<void> | undefined;
  let recording: Promise<void> | undefined;

  function beginWrite(): Promise<void> {
    nextWrite = undefined;
    writing = write();
    return writing;
  }

  async function write(): Promise<void> {
    const batch = finished.filter(({ access }) => !access.isLocked());
    finished = [];
    const rows = batch.map(({ row }) => row);
    const confirmed = batch.filter(({ isFinal }) => isFinal);
    if (confirmed.length > 0) await history.expectBulk();
    if ((await jobs.finish(rows)).ok) {
      publishProgress({ kind: 'rows', rows });
      written.push(...confirmed);
      if (written.length > 0) recording ??= record();
    } else {
      for (const id of new Set(rows.map(({ jobId }) => jobId))) await onStorageFull(id);
    }
    if (nextWrite === undefined) writing = undefined;
  }

  async function record(): Promise<void> {
    while (written.length > 0) {
      await delay(collectMs);
      const batch = written;
      written = [];
      for (const [access, each] of await answersByAccess(batch, dependencies))
        await history.recordBulk(access, each);
    }
    recording = undefined;
  }

  return {
    add(row, access, isFinal) {
      finished.push({ row, access, isFinal });
      if (writing === undefined) return beginWrite();
      return (nextWrite ??= writing.then(beginWrite));
    },
    settled: async () => {
      for (;;) {
        const under = nextWrite ?? writing ?? recording;
        if (under === undefined) break;
        await under;
      }
      await history.endBulk();
    },
  };
}

/** Returns the answers for the history, by the access that they were got with. */
async function answersByAccess(
  batch: readonly FinishedRow[],
  { jobs, asksSeveral }: Pick<RowWriterDependencies, 'jobs' | 'asksSeveral'>,
): Promise<Map<AuthorizedAccess, BulkAnswer[]>> {
  const answers = batch.map(async ({ row, access }) => {
    const { jobId, code, foundSpelling, checkedAt, outcome } = row;
    if (outcome?.ok !== true || checkedAt === undefined) return [];
    const others = asksSeveral(jobId) ? await jobs.beside(row) : [];
    // The history already holds the others' answers to the same question.
    const shown = others.map((other) =>
      other.question === row.question ? { connectionId: other.connectionId } : other,
    );
    const question = questionAbout(row.question ?? jobId, [
      { connectionId: row.connectionId },
      ...shown,
    ]);
    const answer = { jobId, code, question, foundSpelling, checkedAt, answer: outcome.value };
    return [{ access, answer }];
  });
  const groups = Map.groupBy((await Promise.all(answers)).flat(), ({ access }) => access);
  return new Map([...groups].map(([access, group]) => [access, group.map(({ answer }) => answer)]));
}
