import type { Restore, StorageFull } from '#core/storage-full';
import type { InjectionKey } from 'vue';

import type {
  HistoryEntry,
  HistorySettings,
  HistorySettingsChange,
  TimeSpan,
} from '#core/history/entry';
import type { Result } from '#core/result';

/** Keeps the stored history. The worker adds entries; a page reads, annotates and erases them. */
export interface HistoryPort {
  settings(): Promise<HistorySettings>;
  /** Changes some settings, whoever else does at the same time, and none of a newer version of the program. */
  changeSettings(
    changes: Partial<HistorySettings>,
  ): Promise<Result<HistorySettingsChange, { readonly kind: 'newer-version' }>>;
  /** Names a code without holding it: the same name for every spelling of one code. */
  codeIdOf(code: string): Promise<string>;
  /** Returns the latest entries, the latest first; with a span, those checked in it. */
  latest(count: number, span?: TimeSpan): Promise<HistoryEntry[]>;
  /** Returns when the oldest entry was checked, epoch milliseconds; undefined where there is none. */
  oldest(): Promise<number | undefined>;
  /** Returns every entry of one code, the latest first. */
  ofCode(codeId: string): Promise<HistoryEntry[]>;
  /** Replaces the agent's ticket address and note; empty text removes them. */
  annotate(
    id: number,
    added: { readonly ticket: string; readonly note: string },
  ): Promise<Result<void, StorageFull>>;
  /** Each removal returns what undoes it; undefined when there was nothing to remove. */
  remove(ids: readonly number[]): Promise<Restore | undefined>;
  /** Erases every entry; settings stay. */
  erase(): Promise<Restore | undefined>;
  /** Removes entries older than a moment, epoch milliseconds. */
  prune(before: number): Promise<Restore | undefined>;
  /** Masks for good the codes checked before a moment, epoch milliseconds. */
  mask(before: number): Promise<void>;
}
export const historyPort: InjectionKey<HistoryPort> = Symbol('history');
