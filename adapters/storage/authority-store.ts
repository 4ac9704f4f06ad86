import { createStore, get, update } from 'idb-keyval';
import * as v from 'valibot';

import type { LicenseAuthority } from '#core/authority/authority';
import { authorityBounds, authorityFields, authorityIdSchema } from '#core/authority/authority';
import type { Result } from '#core/result';
import { fail, succeed } from '#core/result';

/** An authority at rest. Deleted ones stay, unseen, until they can no longer be restored. */
export interface StoredAuthority extends LicenseAuthority {
  /** For rehearsals with a test authority. It opens nothing else, and is handed to no page. */
  readonly controlToken?: string;
  /** Epoch milliseconds. */
  readonly deletedUntil?: number;
}

export interface AuthorityStore {
  /** In the order they were added, deleted ones included. */
  read(): Promise<readonly StoredAuthority[]>;
  /** Reads, changes and writes as one; `edit` must be a function of its argument alone. Gives what was written. */
  change(
    edit: (authorities: readonly StoredAuthority[]) => readonly StoredAuthority[],
  ): Promise<Result<readonly StoredAuthority[], { readonly kind: 'storage-full' }>>;
}

const storedAuthority: v.GenericSchema<unknown, StoredAuthority> = v.object({
  id: authorityIdSchema,
  ...authorityFields,
  controlToken: v.exactOptional(
    v.pipe(v.string(), v.nonEmpty(), v.maxLength(authorityBounds.controlToken)),
  ),
  deletedUntil: v.exactOptional(v.number()),
});

const key = 'authorities';

/** Authorities in IndexedDB, one record. What is read back is judged anew; one that can no longer be read is left out. */
export function createAuthorityStore(
  store = createStore('counterfoil-authorities', 'records'),
): AuthorityStore {
  return {
    read: async () => readAll(await get(key, store)),

    async change(edit) {
      let written: readonly StoredAuthority[] = [];
      try {
        await update<unknown>(key, (present) => (written = edit(readAll(present))), store);
        return succeed(written);
      } catch (error) {
        if (error instanceof DOMException && error.name === 'QuotaExceededError')
          return fail({ kind: 'storage-full' });
        throw error;
      }
    },
  };
}

function readAll(value: unknown): StoredAuthority[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const read = v.safeParse(storedAuthority, one);
    return read.success ? [read.output] : [];
  });
}
