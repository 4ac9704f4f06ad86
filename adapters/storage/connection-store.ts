import * as v from 'valibot';

import { parseBaseAddress } from '#core/connections/base-address';
import type { Connection, StoredConnection } from '#core/connections/connection';
import {
  connectionIdSchema,
  connectionNameSchema,
  dialectSchema,
} from '#core/connections/connection-schema';
import { accountPlaceOf, placeSchema } from '#core/marketplaces/marketplace-id';
import { omitUndefined } from '#core/omit-undefined';
import { defineForm } from '#adapters/storage/migrations';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import { type RecordList, createRecordList } from '#adapters/storage/record-list';
import { type Tables, createTables } from '#adapters/storage/tables';

/** Returns the connection without what only the store needs. */
export function connectionOf(stored: StoredConnection): Connection {
  const { id, name, baseAddress, revision, dialect, throughRelay } = stored;
  return omitUndefined({
    ...accountPlaceOf(stored),
    id,
    name,
    baseAddress,
    revision,
    dialect,
    throughRelay,
  });
}

/** Stores connections in the agent's order, deleted ones included. */
export type ConnectionStore = RecordList<StoredConnection>;

/** Reads the base addresses of the connections, by id. */
export async function readBaseAddresses(
  store: Pick<ConnectionStore, 'read'>,
): Promise<ReadonlyMap<string, string>> {
  return new Map((await store.read()).map(({ id, baseAddress }) => [id, baseAddress]));
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
  ...placeSchema,
  dialect: dialectSchema,
  throughRelay: v.exactOptional(v.literal(true)),
  deletedUntil: v.exactOptional(v.number()),
});

export const connectionForm = defineForm('connection', parseWithSchema(storedConnection));

export function createConnectionStore(tables: Tables = createTables()): ConnectionStore {
  return createRecordList(tables, 'connections', connectionForm);
}
