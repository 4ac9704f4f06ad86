import type { InjectionKey } from 'vue';

/** Stores the preferences. What is read is unknown data: `readPreferences` validates it. */
export interface PreferenceStore {
  readonly read: () => Promise<unknown>;
  readonly write: (preferences: object) => Promise<void>;
  /** Calls back when another page has written. */
  readonly watch: (changed: (preferences: unknown) => void) => void;
}
export const preferencePort: InjectionKey<PreferenceStore> = Symbol('preferences');
