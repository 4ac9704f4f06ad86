import * as v from 'valibot';

import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import { createRecordList, type RecordList } from '#adapters/storage/record-list';
import { createTables, defineRecord, type Tables } from '#adapters/storage/tables';
import { authorityFields, authorityIdSchema, type StoredAuthority } from '#core/authority/index';

/** Stores authorities in the order in which they were added, including deleted ones. */
export type AuthorityStore = RecordList<StoredAuthority>;

const storedAuthority: v.GenericSchema<unknown, StoredAuthority> = v.object({
  id: authorityIdSchema,
  ...authorityFields,
  deletedUntil: v.exactOptional(v.number()),
});

export const authorityCodec = defineRecord(parseWithSchema(storedAuthority));

export function createAuthorityStore(tables: Tables = createTables()): AuthorityStore {
  return createRecordList(tables, 'authorities', authorityCodec);
}
