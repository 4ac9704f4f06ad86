import { shallowRef } from 'vue';

import type { BulkRow, BulkWait } from '#core/jobs/index';
import { searchIn } from '#core/marketplaces/index';

/** Holds the latest wait of all jobs at each connection. Call it in a store's setup. */
export function createJobWaits(): {
  readonly at: (connectionIds: readonly string[]) => readonly BulkWait[];
  readonly note: (wait: BulkWait) => void;
  /** Ends searches with their code: rows that were under way say nothing about another wait. */
  readonly endSearches: (finished: readonly BulkRow[]) => void;
} {
  const waits = shallowRef<readonly BulkWait[]>([]);
  const at = (ids: readonly string[]): readonly BulkWait[] =>
    waits.value.filter(({ connectionId }) => ids.includes(connectionId));
  return {
    at,
    note(update) {
      waits.value = [
        ...waits.value.filter(({ connectionId }) => connectionId !== update.connectionId),
        update,
      ];
    },
    endSearches(finished) {
      const searches = at(finished.map(({ connectionId }) => connectionId)).filter(
        ({ fault }) => searchIn(fault) !== undefined,
      );
      if (searches.length > 0) waits.value = waits.value.filter((wait) => !searches.includes(wait));
    },
  };
}
