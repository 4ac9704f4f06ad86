import { defineStore } from 'pinia';
import { onScopeDispose } from 'vue';

import type { JobSource } from '#core/bulk/index';
import type { BulkJob, JobUpdate } from '#core/jobs/index';
import { createJobCommands } from '#stores/bulk/job-commands';
import { createJobList } from '#stores/bulk/job-list';
import { createOpenJob } from '#stores/bulk/open-job';
import { jobsPort } from '#stores/bulk/ports';
import { createWorkerDriver } from '#stores/bulk/worker-driver';
import { usePort } from '#stores/ports';

/** Shows bulk checks. The worker runs them; this page adds jobs and shows the announced progress. */
export const useBulk = defineStore('bulk', () => {
  const port = usePort(jobsPort);
  const list = createJobList();
  const openJob = createOpenJob(list.find);
  /** The last announced state of each job; an older one may still be waiting for its rows. */
  const announced = new Map<string, BulkJob>();
  const drive = createWorkerDriver(async () => {
    // Updates announced before this page listened are in the stored jobs. A job is never shown as finished with
    // outdated rows.
    const { show } = await list.read();
    await openJob.reload();
    show();
  });
  const { storageFull, ...commands } = createJobCommands({ list, drive, load, removeFromView });

  onScopeDispose(port.watch(applyUpdate));

  function applyUpdate(update: JobUpdate): void {
    switch (update.kind) {
      case 'job':
        void showJob(update.job);
        break;
      case 'removed':
        removeFromView(update.jobId);
        break;
      case 'reset':
        list.forgetCounts(update.jobId);
        if (update.jobId === openJob.jobId.value) void openJob.reload();
        break;
      case 'wait':
        openJob.noteWait(update);
        break;
      case 'rows':
        for (const { jobId } of update.rows) list.forgetCounts(jobId);
        openJob.update(update.rows);
        break;
    }
  }

  /** Shows a changed job; the end of the open job is shown only after its rows are read. */
  async function showJob(changed: BulkJob): Promise<void> {
    announced.set(changed.id, changed);
    if (changed.state === 'done' && changed.id === openJob.jobId.value) await openJob.reload();
    if (announced.get(changed.id) === changed) list.put(changed);
  }

  function removeFromView(id: string): void {
    announced.delete(id);
    list.drop(id);
    if (openJob.jobId.value === id) openJob.close();
  }

  async function load(): Promise<void> {
    const { stored, show } = await list.read();
    show();
    if (stored.some(({ state }) => state === 'running')) void drive();
  }

  /** Returns the file that a job's codes came from; undefined if there was none. */
  function sourceOf(jobId: string): Promise<JobSource<Blob> | undefined> {
    return port.source(jobId);
  }

  const { jobs, counts, countJobs, failedCodes, outdatedIn } = list;
  const { job, rows, codes, done, failed, notFound, rate, left, own, open, close, standstills } =
    openJob;
  return {
    jobs,
    counts,
    countJobs,
    failedCodes,
    outdatedIn,
    load,
    job,
    rows,
    codes,
    done,
    failed,
    notFound,
    rate,
    left,
    own,
    standstills,
    open,
    close,
    sourceOf,
    storageFull,
    ...commands,
  };
});
