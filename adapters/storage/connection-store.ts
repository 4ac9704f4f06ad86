import { createStore, get, update } from 'idb-keyval';
import * as v from 'valibot';

import { type Result, fail, succeed } from '#core/result';
import { parseBaseAddress } from '#core/connections/base-address';
import type { Connection } from '#core/connections/connection';
import {
  connectionIdSchema,
  connectionNameSchema,
  dialectSchema,
} from '#core/connections/connection-schema';

/** A connection at rest. Deleted ones stay, unseen, until they can no longer be restored. */
export interface StoredConnection extends Connection {
  /** Epoch milliseconds. */
  readonly deletedUntil?: number;
}

/** The connection alone, as it is when it is not deleted. */
export function connectionOf(stored: StoredConnection): Connection {
  const { id, name, baseAddress, revision, dialect } = stored;
  return { id, name, baseAddress, revision, dialect };
}

export interface ConnectionStore {
  /** In the agent's order, deleted ones included. */
  read(): Promise<readonly StoredConnection[]>;
  /** Reads, changes and writes as one; `edit` must be a function of its argument alone. Gives what was written. */
  change(
    edit: (connections: readonly StoredConnection[]) => readonly StoredConnection[],
  ): Promise<Result<readonly StoredConnection[], { readonly kind: 'storage-full' }>>;
}

const storedConnection: v.GenericSchema<unknown, StoredConnection> = v.object({
  id: connectionIdSchema,
  name: connectionNameSchema,
  baseAddress: v.pipe(
    v.string(),
    v.check((text) => {
      const parsed = parseBaseAddress(text);
      return parsed.ok && parsed.value.address === text;
    }),
  ),
  revision: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  dialect: dialectSchema,
  deletedUntil: v.exactOptional(v.number()),
});

const key = 'connections';

/**
 * Connections in IndexedDB: one record, so that any change is whole or not at all. What is read back is judged anew,
 * and a connection that can no longer be read is left out rather than asked under a guessed meaning.
 */
export function createConnectionStore(
  store = createStore('counterfoil-connections', 'records'),
): ConnectionStore {
  return {
    read: async () => readAll(await get(key, store)),

    async change(edit) {
      let written: readonly StoredConnection[] = [];
      try {
        await update<unknown>(
          key,
          (present) => {
            written = edit(readAll(present));
            return written;
          },
          store,
        );
        return succeed(written);
      } catch (error) {
        if (error instanceof DOMException && error.name === 'QuotaExceededError')
          return fail({ kind: 'storage-full' });
        throw error;
      }
    },
  };
}

function readAll(value: unknown): StoredConnection[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const read = v.safeParse(storedConnection, one);
    return read.success ? [read.output] : [];
  });
}
