import type { Site } from '#core/ticket/site';
import { siteSchema } from '#core/ticket/site-schema';
import { defineForm } from '#adapters/storage/migrations';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import { type RecordList, createRecordList } from '#adapters/storage/record-list';
import { type Tables, createTables } from '#adapters/storage/tables';

/** Stores the help desks the agent has allowed, in the order in which they were. */
export type SiteStore = RecordList<Site>;

export const siteForm = defineForm('site', parseWithSchema(siteSchema));

export function createSiteStore(tables: Tables = createTables()): SiteStore {
  return createRecordList(tables, 'sites', siteForm);
}
