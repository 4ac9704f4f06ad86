import { computed, type ComputedRef, type ShallowRef, shallowRef } from 'vue';

import type { OwnColumns } from '#core/bulk/index';
import {
  type BulkJob,
  type BulkRow,
  type BulkWait,
  type Standstill,
  standstillsAt,
  timeLeft,
} from '#core/jobs/index';
import { readOwnColumns } from '#stores/bulk/enriched-file';
import { createJobRows, type JobRows } from '#stores/bulk/job-rows';
import { createJobWaits } from '#stores/bulk/job-waits';
import { jobsPort } from '#stores/bulk/ports';
import { useConnections } from '#stores/connections/connections';
import { latest } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';

export interface OpenJob extends JobRows {
  readonly job: ComputedRef<BulkJob | undefined>;
  /** The columns of the job's own file, after they are read. */
  readonly own: ShallowRef<OwnColumns | undefined>;
  /** Returns the time left in milliseconds; undefined if the job is not running or too little is known. */
  readonly left: () => number | undefined;
  /** Returns what the running job waits for, in the order of its connections. */
  readonly standstills: () => readonly Standstill[];
  readonly noteWait: (wait: BulkWait) => void;
}

/** Creates the job whose table is shown, with none open yet. Call it in a store's setup. */
export function createOpenJob(find: (id: string | undefined) => BulkJob | undefined): OpenJob {
  const now = usePort(clockPort);
  const port = usePort(jobsPort);
  const connections = useConnections();
  const table = createJobRows();
  const waits = createJobWaits();
  const own = shallowRef<OwnColumns>();
  const ownReads = latest();

  const job = computed(() => find(table.jobId.value));
  function left(): number | undefined {
    if (job.value?.state !== 'running') return undefined;
    const asked = job.value.connectionIds.map((id) => ({
      waiting: table.waiting.value.get(id) ?? 0,
      requestsPerMinute: connections.find(id)?.dialect.requestsPerMinute ?? 1,
      finishedAt: table.finishedAt.value.get(id) ?? [],
    }));
    return timeLeft(asked, now());
  }

  function standstills(): readonly Standstill[] {
    if (job.value?.state !== 'running') return [];
    const { connectionIds } = job.value;
    const held = waits.at(connectionIds);
    const all = standstillsAt(now(), table.waiting.value, held, table.drawnAt.value);
    return all.toSorted(
      (a, b) => connectionIds.indexOf(a.connectionId) - connectionIds.indexOf(b.connectionId),
    );
  }

  /** Opens a job's table, and reads the columns of its file. */
  async function open(id: string): Promise<void> {
    const { isLatest } = ownReads.begin();
    own.value = undefined;
    await table.open(id);
    const source = await port.source(id);
    // For an unreadable file no columns are shown; saving the file reports the problem.
    const read = source && (await readOwnColumns(source).catch(() => undefined));
    if (isLatest()) own.value = read;
  }

  function update(finished: readonly BulkRow[]): void {
    waits.endSearches(finished);
    table.update(finished);
  }

  return { ...table, job, own, left, standstills, noteWait: waits.note, open, update };
}
