import * as v from 'valibot';

import {
  authorityBounds,
  authorityFields,
  authorityIdSchema,
  type LicenseAuthority,
} from '#core/authority/authority';
import { defineForm } from '#adapters/storage/migrations';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import { type RecordList, createRecordList } from '#adapters/storage/record-list';
import { type Tables, createTables } from '#adapters/storage/tables';

/** Describes an authority as it is stored. A deleted one stays until it can no longer be restored. */
export interface StoredAuthority extends LicenseAuthority {
  /** For rehearsals with a test authority. It opens nothing else, and is handed to no page. */
  readonly controlToken?: string;
  /** Until when its deletion can be undone, epoch milliseconds. */
  readonly deletedUntil?: number;
}

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
