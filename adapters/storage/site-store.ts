import { createStore, get, update } from 'idb-keyval';
import * as v from 'valibot';

import type { Site } from '#core/ticket/site';
import { siteSchema } from '#core/ticket/site-schema';

/** The help desks the agent has allowed, in the order in which they were. */
export interface SiteStore {
  read(): Promise<readonly Site[]>;
  /** Reads, changes and writes as one; `edit` must be a function of its argument alone. Gives what was written. */
  change(edit: (sites: readonly Site[]) => readonly Site[]): Promise<readonly Site[]>;
}

const key = 'sites';

/** Sites in IndexedDB, which no page and no content script can read. What cannot be read back is left out. */
export function createSiteStore(store = createStore('counterfoil-sites', 'records')): SiteStore {
  return {
    read: async () => readAll(await get(key, store)),

    async change(edit) {
      let written: readonly Site[] = [];
      await update<unknown>(key, (present) => (written = edit(readAll(present))), store);
      return written;
    },
  };
}

function readAll(value: unknown): Site[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const read = v.safeParse(siteSchema, one);
    return read.success ? [read.output] : [];
  });
}
