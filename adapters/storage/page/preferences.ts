import type { NewerVersion } from '#adapters/storage/stored-setting';
import type { Result } from '#core/result';
import type { StorageFull } from '#core/storage/index';

/** Stores the preferences in extension storage, shared by all pages. They contain no secret. */
export function createPreferenceStore(): {
  read: () => Promise<unknown>;
  change: (changes: object) => Promise<Result<void, NewerVersion | StorageFull>>;
  watch: (changed: (preferences: unknown) => void) => void;
} {
  // Loaded in parallel with the page, because the popup's field does not need it to accept text.
  const access = import('#adapters/storage/page/preference-access');
  return {
    read: async () => (await access).read(),
    change: async (changes) => (await access).change(changes),
    watch: (changed) => {
      void access.then(({ watch }) => {
        watch(changed);
      });
    },
  };
}
