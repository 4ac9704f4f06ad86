import type { DBSchema, StoreNames } from 'idb';

import type { QuarantineSource } from '#core/quarantine';
import type { ItemId } from '#core/marketplaces/resources';

/** Names the lists that stand as one value each, so that their order and any change of them are written whole. */
export type ListName = 'connections' | 'authorities' | 'sites' | 'pinned-keys';

export interface QuarantinedRecord {
  readonly source: QuarantineSource;
  /** When it was set aside, epoch milliseconds. */
  readonly at: number;
  /** The first member that cannot be read, dotted; `$` is the whole record. */
  readonly path: string;
  /** As it was stored. */
  readonly value: unknown;
}

/** Names the tables. Values are `unknown` where their form has versions: `migrations.ts` reads them. */
export interface CounterfoilSchema extends DBSchema {
  lists: { key: ListName; value: unknown };
  jobs: { key: string; value: unknown };
  rows: {
    key: [jobId: string, index: number];
    value: unknown;
    indexes: { waiting: [jobId: string, connectionId: string, index: number] };
  };
  /** The files that the codes of jobs came from. */
  'job-sources': { key: string; value: unknown };
  history: {
    key: number;
    value: unknown;
    indexes: { time: number; code: [codeId: string, checkedAt: number] };
  };
  /** The history's settings, the key that its digests of codes are made with, and before which moment codes are masked for good. */
  'history-values': { key: 'settings' | 'digest' | 'masked-before'; value: unknown };
  listings: { key: string; value: unknown };
  items: { key: [connectionId: string, itemId: ItemId]; value: unknown };
  quarantine: { key: number; value: QuarantinedRecord };
}

export type TableName = StoreNames<CounterfoilSchema>;
