import { createStore, get, update } from 'idb-keyval';

import { readRing } from '#core/key-ring/ring';
import type { PinnedKey } from '#core/license/keys/pinned-key';
import type { Result } from '#core/result';
import { fail, succeed } from '#core/result';

/** Nothing could be written: the disk is full, or storage is blocked. */
export interface KeyRingFault {
  readonly kind: 'not-stored';
}

/**
 * The pinned public keys of this browser profile, in IndexedDB. Read anew at each use and never kept in memory, so that a
 * key revoked in another window is revoked everywhere at once.
 */
export interface KeyRing {
  /** Empty where storage cannot be read. Bytes are not judged here: whoever verifies does that, each time. */
  read(): Promise<PinnedKey[]>;
  /** Applies one change as one transaction and says what the ring then is. */
  change(
    change: (ring: readonly PinnedKey[]) => readonly PinnedKey[],
  ): Promise<Result<PinnedKey[], KeyRingFault>>;
  /** Calls back when another page of this origin has changed the ring. */
  watch(changed: () => void): () => void;
}

export function createKeyRing(): KeyRing {
  const store = createStore('counterfoil-key-ring', 'keys');
  const channel = new BroadcastChannel('counterfoil-key-ring');
  return {
    async read() {
      return readRing(await get('ring', store).catch(() => undefined));
    },
    async change(change) {
      let after: PinnedKey[] = [];
      try {
        await update<unknown>('ring', (kept) => (after = [...change(readRing(kept))]), store);
      } catch {
        return fail({ kind: 'not-stored' });
      }
      channel.postMessage('changed');
      return succeed(after);
    },
    watch(changed) {
      channel.addEventListener('message', changed);
      return () => {
        channel.removeEventListener('message', changed);
      };
    },
  };
}
