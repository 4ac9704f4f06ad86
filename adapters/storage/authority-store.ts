import * as v from 'valibot';

import {
  authorityBounds,
  authorityFields,
  authorityIdSchema,
  type StoredAuthority,
} from '#core/authority/authority';
import { defineForm } from '#adapters/storage/migrations';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import { type RecordList, createRecordList } from '#adapters/storage/record-list';
import { type Tables, createTables } from '#adapters/storage/tables';

/** Stores authorities in the order they were added, deleted ones included. */
export type AuthorityStore = RecordList<StoredAuthority>;

const storedAuthority: v.GenericSchema<unknown, StoredAuthority> = v.object({
  id: authorityIdSchema,
  ...authorityFields,
  controlToken: v.exactOptional(
    v.pipe(v.string(), v.nonEmpty(), v.maxLength(authorityBounds.controlToken)),
  ),
  deletedUntil: v.exactOptional(v.number()),
});

export const authorityForm = defineForm('authority', parseWithSchema(storedAuthority));

export function createAuthorityStore(tables: Tables = createTables()): AuthorityStore {
  return createRecordList(tables, 'authorities', authorityForm);
}
