import { shallowRef } from 'vue';

import type { BulkRow, BulkWait } from '#core/jobs/index';
import { searchIn } from '#core/marketplaces/index';

/** Creates the record of the latest wait at each connection, for all jobs. Call it in a store's setup. */
export function createJobWaits(): {
  readonly at: (connectionIds: readonly string[]) => readonly BulkWait[];
  readonly note: (wait: BulkWait) => void;
  /** Ends the search of a finished code. Finished rows say nothing about other waits. */
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
