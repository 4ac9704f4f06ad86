import type { InjectionKey } from 'vue';

import type { Result } from '#core/result';
import type { StorageFull } from '#core/storage/index';
import type { HistorySettings, Preferences } from '#core/preferences/index';

export type PreferenceChanges = {
  readonly [Name in keyof Preferences]?: Preferences[Name] | undefined;
};

/** Stores the preferences. Reading returns unknown data, which `readPreferences` validates. */
export interface PreferenceStore {
  readonly read: () => Promise<unknown>;
  /**
   * Writes only these preferences, since another page may change others at the same time; `undefined` removes one.
   * Never overwrites the preferences of a newer version of the program.
   */
  readonly change: (
    changes: PreferenceChanges,
  ) => Promise<Result<void, StorageFull | { readonly kind: 'newer-version' }>>;
  /** Calls back when another page has written. */
  readonly watch: (changed: (preferences: unknown) => void) => void;
}
export const preferencePort: InjectionKey<PreferenceStore> = Symbol('preferences');

export interface HistorySettingsPort {
  readonly settings: () => Promise<HistorySettings>;
}
export const historySettingsPort: InjectionKey<HistorySettingsPort> = Symbol('history settings');

/** The program and the browser that it runs in. */
export interface ProgramPort {
  readonly version: string;
  readonly browser: string;
  /**
   * Tells whether it was built from source and loaded by hand, rather than installed by a store or an administrator.
   */
  readonly fromSource: () => Promise<boolean>;
  /** Deletes what this page itself has stored, and reloads it. */
  readonly restart: () => void;
  /** Reloads this page. */
  readonly reload: () => void;
}
export const programPort: InjectionKey<ProgramPort> = Symbol('program');
