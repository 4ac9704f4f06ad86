import * as v from 'valibot';
import { parseBaseAddress } from '#core/address/index';
import { connectionFields, type StoredConnection } from '#core/connections/index';
import { defineRecord, type Tables, createTables } from '#adapters/storage/tables';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import { type RecordList, createRecordList } from '#adapters/storage/record-list';
import { type Site, siteSchema } from '#core/preferences/index';

/** Stores connections in the agent's order, including deleted ones. */
export type ConnectionStore = RecordList<StoredConnection>;

const storedConnection: v.GenericSchema<unknown, StoredConnection> = v.object({
  ...connectionFields,
  baseAddress: v.pipe(
    v.string(),
    v.check((text) => {
      const parsed = parseBaseAddress(text);
      return parsed.ok && parsed.value.address === text;
    }),
  ),
  revision: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  throughRelay: v.exactOptional(v.literal(true)),
  deletedUntil: v.exactOptional(v.number()),
});

export const connectionCodec = defineRecord(parseWithSchema(storedConnection));

export function createConnectionStore(tables: Tables = createTables()): ConnectionStore {
  return createRecordList(tables, 'connections', connectionCodec);
}

/** Stores the help desks that the agent has allowed, in that order. */
export type SiteStore = RecordList<Site>;

export const siteCodec = defineRecord(parseWithSchema(siteSchema));

export function createSiteStore(tables: Tables = createTables()): SiteStore {
  return createRecordList(tables, 'sites', siteCodec);
}
