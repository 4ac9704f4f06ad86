import { reactive, type Ref, ref, type ShallowRef, shallowRef } from 'vue';

import { type BulkJob, codeRowsOf, countRows } from '#core/jobs/index';
import type { VerdictWord } from '#core/verdict/index';
import { jobsPort } from '#stores/bulk/ports';
import { latest } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';

export interface JobList {
  /** Undefined until the jobs have been read. */
  readonly jobs: Ref<BulkJob[] | undefined>;
  /**
   * Reads the stored jobs.
   * @returns the jobs, and a function that shows them. A job that is put or dropped before that call is newer, and is
   * kept
   */
  readonly read: () => Promise<{ readonly stored: readonly BulkJob[]; readonly show: () => void }>;
  readonly find: (id: string | undefined) => BulkJob | undefined;
  /** Replaces a job's older state. A new job becomes the first. */
  readonly put: (job: BulkJob) => void;
  readonly drop: (id: string) => void;
  /** How many codes each job had in each group when they were last counted. */
  readonly counts: ShallowRef<ReadonlyMap<string, Record<VerdictWord, number>>>;
  /** The codes of each job that had no answer when they were last counted. */
  readonly failedCodes: ReadonlyMap<string, readonly string[]>;
  readonly forgetCounts: (id: string) => void;
  /**
   * Joins the ids of the jobs that have changed since they were counted; empty for none. Being a text, it can be
   * watched for changes.
   */
  readonly outdatedIn: (some: readonly BulkJob[]) => string;
  /** Recounts the codes of changed jobs, one job after the other. */
  readonly countJobs: (counted: readonly BulkJob[]) => Promise<void>;
}

/** Creates the list of jobs, not yet read. Call it in a store's setup. */
export function createJobList(): JobList {
  const now = usePort(clockPort);
  const port = usePort(jobsPort);
  const jobs = ref<BulkJob[]>();
  const counts: JobList['counts'] = shallowRef(new Map());
  const failedCodes = new Map<string, readonly string[]>();
  /** For each job whose counts match the stored rows, its state when they were counted. */
  const countedIn = reactive(new Map<string, BulkJob['state']>());
  const reads = latest();
  /** The sequence number of the latest change of each job in this list, from 1. */
  const changedAt = new Map<string, number>();
  let changeCount = 0;
  const noteChange = (id: string): void => {
    changedAt.set(id, (changeCount += 1));
  };
  const isCounted = ({ id, state }: BulkJob): boolean => countedIn.get(id) === state;

  return {
    jobs,
    async read() {
      const { isLatest } = reads.begin();
      const begunAt = changeCount;
      const stored = await port.jobs();
      const isNewer = ({ id }: BulkJob): boolean => (changedAt.get(id) ?? 0) > begunAt;
      const show = (): void => {
        if (!isLatest()) return;
        const newer = (jobs.value ?? []).filter(isNewer);
        jobs.value = [...newer, ...stored.filter((job) => !isNewer(job))].sort(
          (a, b) => b.createdAt - a.createdAt,
        );
      };
      return { stored, show };
    },
    find: (id) => jobs.value?.find((job) => job.id === id),
    put(job) {
      noteChange(job.id);
      const present = jobs.value ?? [];
      const at = present.findIndex(({ id }) => id === job.id);
      jobs.value = at < 0 ? [job, ...present] : present.with(at, job);
    },
    drop(id) {
      noteChange(id);
      jobs.value = jobs.value?.filter((job) => job.id !== id);
    },
    counts,
    failedCodes,
    outdatedIn: (some) =>
      some
        .filter((job) => !isCounted(job))
        .map(({ id }) => id)
        .join(),
    forgetCounts: (id) => countedIn.delete(id),
    async countJobs(counted) {
      for (const job of counted) {
        if (isCounted(job)) continue;
        countedIn.set(job.id, job.state);
        const codes = codeRowsOf(await port.rows(job.id), now());
        const failed = codes.filter(({ outcome }) => outcome?.ok === false);
        failedCodes.set(
          job.id,
          failed.map(({ code }) => code),
        );
        counts.value = new Map(counts.value).set(job.id, countRows(codes, job, now()));
      }
    },
  };
}
