import { shallowRef } from 'vue';

import type { BulkRow, BulkWait } from '#core/jobs/index';
import { searchIn } from '#core/marketplaces/index';

/** Holds the latest wait of each job at each connection. Call it in a store's setup. */
export function createJobWaits(): {
  readonly of: (jobId: string) => readonly BulkWait[];
  readonly note: (wait: BulkWait) => void;
  /** Ends searches with their code: rows that were under way say nothing about another wait. */
  readonly endSearches: (finished: readonly BulkRow[]) => void;
} {
  const waits = shallowRef<readonly BulkWait[]>([]);
  const isOf = (wait: BulkWait, { jobId, connectionId }: JobPart): boolean =>
    wait.jobId === jobId && wait.connectionId === connectionId;
  return {
    of: (jobId) => waits.value.filter((wait) => wait.jobId === jobId),
    note(update) {
      waits.value = [...waits.value.filter((wait) => !isOf(wait, update)), update];
    },
    endSearches(finished) {
      const isOver = (wait: BulkWait): boolean =>
        searchIn(wait.fault) !== undefined && finished.some((row) => isOf(wait, row));
      if (waits.value.some(isOver)) waits.value = waits.value.filter((wait) => !isOver(wait));
    },
  };
}

type JobPart = Pick<BulkRow, 'jobId' | 'connectionId'>;
