import { type Ref, ref, type ShallowRef, shallowRef } from 'vue';

import { type BulkJob, codeRowsOf, countRows } from '#core/jobs/index';
import type { Verdict } from '#core/verdict/index';
import { jobsPort } from '#stores/bulk/ports';
import { clockPort, usePort } from '#stores/ports';

export interface JobList {
  /** Undefined until they have been read. */
  readonly jobs: Ref<BulkJob[] | undefined>;
  readonly find: (id: string | undefined) => BulkJob | undefined;
  /** Puts a job in the place of its older state. A new one comes first. */
  readonly put: (job: BulkJob) => void;
  readonly drop: (id: string) => void;
  /** How many codes of each group a job has, by the job. */
  readonly counts: ShallowRef<ReadonlyMap<string, Record<Verdict, number>>>;
  readonly forgetCounts: (id: string) => void;
  /** Counts the codes of the jobs that do not run, one job after the other. */
  readonly countJobs: () => Promise<void>;
}

/** Creates the list of jobs, not yet read. Call it in a store's setup. */
export function createJobList(): JobList {
  const now = usePort(clockPort);
  const port = usePort(jobsPort);
  const jobs = ref<BulkJob[]>();
  const counts: JobList['counts'] = shallowRef(new Map());

  return {
    jobs,
    find: (id) => jobs.value?.find((job) => job.id === id),
    put(job) {
      const present = jobs.value ?? [];
      const at = present.findIndex(({ id }) => id === job.id);
      jobs.value = at < 0 ? [job, ...present] : present.with(at, job);
    },
    drop(id) {
      jobs.value = jobs.value?.filter((job) => job.id !== id);
    },
    counts,
    forgetCounts(id) {
      if (!counts.value.has(id)) return;
      counts.value = new Map([...counts.value].filter(([jobId]) => jobId !== id));
    },
    async countJobs() {
      for (const { id, state, expectedItemId } of jobs.value ?? []) {
        if (state === 'running' || counts.value.has(id)) continue;
        const codes = codeRowsOf(await port.rows(id), now());
        counts.value = new Map(counts.value).set(id, countRows(codes, expectedItemId, now()));
      }
    },
  };
}
