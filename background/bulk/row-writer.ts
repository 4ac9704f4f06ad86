import type { JobStore } from '#adapters/storage/worker/index';
import type { BulkAnswer, BulkAnswerName, History } from '#background/check/history';
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

interface QueuedRow {
  readonly row: BulkRow;
  readonly access: AuthorizedAccess;
  readonly isConfirmed: boolean;
}

export interface RowWriter {
  /** Queues a finished row; settles when it is written. If the keys are locked before that, the row stays waiting. */
  readonly add: (row: BulkRow, access: AuthorizedAccess) => Promise<void>;
  /** Queues a written not-found again because its key has worked since; settles when it is written. */
  readonly confirm: (row: BulkRow, access: AuthorizedAccess) => Promise<void>;
  /**
   * Starts removing rows from the history that were written and now wait again. They are not given to this writer
   * again.
   */
  readonly takeBack: (rows: readonly BulkRow[]) => void;
  /** Settles when every queued row is written and the history agrees with the rows. */
  readonly settled: () => Promise<void>;
}

/**
 * How long answers are collected for the history, in milliseconds. Recording costs three transactions, however few
 * answers there are.
 */
const collectMs = 100;

/**
 * Writes finished rows in batches, one transaction each; rows that finish during a write go into the next batch. The
 * history is recorded in parallel, so that no row waits for it.
 */
export function createRowWriter(dependencies: RowWriterDependencies): RowWriter {
  const { jobs, history, publishProgress, onStorageFull } = dependencies;
  let queued: QueuedRow[] = [];
  let unrecorded: QueuedRow[] = [];
  let takenBack: BulkRow[] = [];
  let writing: Promise<void> | undefined;
  let nextWrite: Promise<void> | undefined;
  let recording: Promise<void> | undefined;

  function queue(row: BulkRow, access: AuthorizedAccess, isConfirmed: boolean): Promise<void> {
    queued.push({ row, access, isConfirmed });
    if (writing === undefined) return beginWrite();
    return (nextWrite ??= writing.then(beginWrite));
  }

  function beginWrite(): Promise<void> {
    nextWrite = undefined;
    writing = write();
    return writing;
  }

  async function write(): Promise<void> {
    const batch = queued.filter(({ access }) => !access.wasLocked());
    queued = [];
    const finished = batch.filter((each) => !each.isConfirmed).map(({ row }) => row);
    const confirmed = batch.filter((each) => each.isConfirmed).map(({ row }) => row);
    if (finished.length > 0) await history.expectBulk();
    const written = await jobs.finish(finished, confirmed);
    if (written.ok) {
      const rows = new Set(written.value);
      publishProgress({ kind: 'rows', rows: written.value });
      unrecorded.push(...batch.filter(({ row }) => rows.has(row)));
      recording ??= record();
    } else {
      for (const id of new Set(batch.map(({ row }) => row.jobId))) await onStorageFull(id);
    }
    if (nextWrite === undefined) writing = undefined;
  }

  async function record(): Promise<void> {
    while (unrecorded.length + takenBack.length > 0) {
      await delay(collectMs);
      const [batch, removed] = [unrecorded, takenBack];
      [unrecorded, takenBack] = [[], []];
      const added = batch.filter((each) => !each.isConfirmed);
      const confirmed = batch.filter((each) => each.isConfirmed);
      for (const [access, each] of await answersByAccess(added, dependencies))
        await history.recordBulk(access, each);
      await history.confirmBulk(confirmed.map(({ row }) => nameOf(row)));
      await history.takeBackBulk(removed.map(nameOf));
    }
    recording = undefined;
  }

  return {
    add: (row, access) => queue(row, access, false),
    confirm: (row, access) => queue(row, access, true),
    takeBack(rows) {
      takenBack.push(...rows);
      if (rows.length > 0) recording ??= record();
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

function nameOf({ jobId, code, question = jobId, connectionId }: BulkRow): BulkAnswerName {
  return { code, question, connectionId };
}

/** Groups the answers for the history by the access that obtained them. */
async function answersByAccess(
  batch: readonly QueuedRow[],
  { jobs, asksSeveral }: Pick<RowWriterDependencies, 'jobs' | 'asksSeveral'>,
): Promise<Map<AuthorizedAccess, BulkAnswer[]>> {
  const answers = batch.map(async ({ row, access }) => {
    const { jobId, code, foundSpelling, checkedAt, outcome } = row;
    if (outcome?.ok !== true || checkedAt === undefined) return [];
    const others = asksSeveral(jobId) ? await jobs.beside(row) : [];
    // The history already has the others' answers to the same question.
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
