import { computed, type ComputedRef, shallowRef, type ShallowRef } from 'vue';

import { correctedSpelling } from '#core/codes/index';
import type { HistoryEntry, HistoryPort } from '#core/history/index';
import { type BulkJob, unaskedIn } from '#core/jobs/index';
import type { VerdictWord } from '#core/verdict/index';
import type { useBulk } from '#stores/bulk/bulk';

/** A bulk check that is running or can be resumed. */
interface UnfinishedJob extends BulkJob {
  /** The ids of its codes without an answer. */
  readonly failed: ReadonlySet<string>;
}

interface UnfinishedJobs {
  /** The bulk checks that were unfinished when the shown entries were read. */
  readonly jobs: ShallowRef<readonly UnfinishedJob[]>;
  /** Returns the word for a code of one of them if a connection has not answered, for `checksOf`. */
  readonly unasked: ComputedRef<(entry: HistoryEntry) => VerdictWord | undefined>;
  /** Reads the unfinished bulk checks, and their codes without an answer, since history entries contain no faults. */
  read(): Promise<readonly UnfinishedJob[]>;
}

/** Creates the record of unfinished bulk checks, whose answers are incomplete. */
export function createUnfinishedJobs(
  port: Pick<HistoryPort, 'codeIdOf'>,
  bulk: ReturnType<typeof useBulk>,
): UnfinishedJobs {
  const jobs = shallowRef<readonly UnfinishedJob[]>([]);
  const unasked = computed(() => {
    const byId = new Map(jobs.value.map((job) => [job.id, job]));
    return ({ jobId = '', codeId }: HistoryEntry): VerdictWord | undefined => {
      const job = byId.get(jobId);
      return job === undefined || job.failed.has(codeId) ? undefined : unaskedIn(job);
    };
  });

  const codeIds = new Map<string, string>();
  async function codeIdOf(code: string): Promise<string> {
    const known = codeIds.get(code) ?? (await port.codeIdOf(correctedSpelling(code) ?? code));
    codeIds.set(code, known);
    return known;
  }

  async function read(): Promise<readonly UnfinishedJob[]> {
    if (bulk.jobs === undefined) await bulk.load();
    const unfinished = bulk.jobs?.filter(({ state }) => state !== 'done') ?? [];
    await bulk.countJobs(unfinished);
    // For finished ones the counts show whether answers are missing; nothing waits for them.
    void bulk.countJobs(bulk.jobs ?? []);
    return Promise.all(
      unfinished.map(async (job) => {
        const codes = bulk.failedCodes.get(job.id) ?? [];
        return { ...job, failed: new Set(await Promise.all(codes.map(codeIdOf))) };
      }),
    );
  }

  return { jobs, unasked, read };
}
