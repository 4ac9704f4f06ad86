import type { Vault } from '#core/installation/ports';
import { succeed } from '#core/result';

/** Creates a vault that lives as long as its program: for rehearsals, and for tests. */
export function createMemoryVault(text?: string): Vault {
  let kept = text;
  return {
    read: () => Promise.resolve(succeed(kept)),
    update(change) {
      kept = change(kept);
      return Promise.resolve(succeed(kept));
    },
  };
}
