import type { StorageFull } from '#core/storage-full';
import type { InjectionKey } from 'vue';

import type { JobSource } from '#core/bulk/enrich';
import type { BulkJob, BulkRow, JobUpdate } from '#core/bulk/job';
import type { Result } from '#core/result';

/** Keeps the stored bulk checks. A page adds a job and reads; the worker alone runs and changes it. */
export interface JobsPort {
  /** Returns every job, the latest first. */
  jobs(): Promise<BulkJob[]>;
  /** Returns a job's rows in their order. */
  rows(jobId: string): Promise<BulkRow[]>;
  /** Returns the file that a job's codes came from; undefined where there was none. */
  source(jobId: string): Promise<JobSource<Blob> | undefined>;
  /** Writes a job with all its rows and its source, or nothing of it. */
  add(
    job: BulkJob,
    rows: readonly BulkRow[],
    source?: JobSource<Blob>,
  ): Promise<Result<void, StorageFull>>;
  /** Calls back with each change that the worker announces. Returns what ends it. */
  watch(changed: (update: JobUpdate) => void): () => void;
}
export const jobsPort: InjectionKey<JobsPort> = Symbol('jobs');
