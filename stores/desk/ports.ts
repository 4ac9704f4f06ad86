import type { InjectionKey } from 'vue';

import type { BulkJob, BulkRow, JobUpdate } from '#core/bulk/job';
import type { HistoryEntry, HistorySettings } from '#core/history/entry';
import type { Result } from '#core/result';
import type { Item } from '#core/seller/item';

/** What the desk's stores need from outside, besides what every page needs. Entry files bind each with `provide`. */

interface StorageFull {
  readonly kind: 'storage-full';
}

/** Bulk checks at rest, and word of how they go. Only the worker runs them. */
export interface JobsPort {
  /** The latest first. */
  jobs(): Promise<BulkJob[]>;
  rows(jobId: string): Promise<BulkRow[]>;
  /** All of it or nothing. */
  add(job: BulkJob, rows: readonly BulkRow[]): Promise<Result<void, StorageFull>>;
  watch(heard: (news: JobUpdate) => void): () => void;
}
export const jobsPort: InjectionKey<JobsPort> = Symbol('jobs');

export interface StoredItem {
  readonly item: Item;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  /** It came by its id, and may be missing from the list. */
  readonly lookedUp: boolean;
}

export interface StoredItems {
  readonly listing?: {
    readonly fetchedAt: number;
    readonly unreadable: number;
    readonly noneFound?: string;
  };
  readonly items: readonly StoredItem[];
}

/** Items as they were last fetched, to be read offline. */
export interface ItemsPort {
  read(connectionId: string): Promise<StoredItems>;
  find(connectionId: string, itemId: number): Promise<StoredItem | undefined>;
}
export const itemsPort: InjectionKey<ItemsPort> = Symbol('items');

export interface HistoryPort {
  settings(): Promise<HistorySettings>;
  setSettings(settings: HistorySettings): Promise<void>;
  codeIdOf(code: string): Promise<string>;
  /** The latest first. */
  latest(count: number): Promise<HistoryEntry[]>;
  ofCode(codeId: string): Promise<HistoryEntry[]>;
  annotate(
    id: number,
    added: { readonly ticket: string; readonly note: string },
  ): Promise<Result<void, StorageFull>>;
  remove(id: number): Promise<void>;
  erase(): Promise<void>;
  prune(before: number): Promise<void>;
}
export const historyPort: InjectionKey<HistoryPort> = Symbol('history');
