import { createStore, get, update } from 'idb-keyval';

import type { Vault } from '#core/installation/ports';
import { fail, succeed } from '#core/result';

const KEY = 'state';

/**
 * A vault in IndexedDB, shared by every page of this origin. Each update is one transaction: pages that save at once come one
 * after the other, and a crash leaves what was there before.
 * @param name of the database
 */
export function createIndexedDbVault(name: string): Vault {
  const store = createStore(name, 'vault');
  return {
    async read() {
      try {
        return succeed(textOf(await get(KEY, store)));
      } catch {
        return fail({ kind: 'vault', because: 'unreadable' });
      }
    },
    async update(change) {
      let text = '';
      try {
        await update<unknown>(KEY, (kept) => (text = change(textOf(kept))), store);
        return succeed(text);
      } catch {
        return fail({ kind: 'vault', because: 'unwritable' });
      }
    },
  };
}

function textOf(kept: unknown): string | undefined {
  return typeof kept === 'string' ? kept : undefined;
}
