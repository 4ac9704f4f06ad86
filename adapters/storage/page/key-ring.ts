import { readRing } from '#core/key-ring/ring';
import type { PinnedKey } from '#core/license/keys/pinned-key';
import { fail, type Result, succeed } from '#core/result';
import {
  defineForm,
  type Tables,
  createTables,
  isNewerDatabase,
  walk,
} from '#adapters/storage/tables';
import { type UnusedRecords, createRecordList } from '#adapters/storage/record-list';

/** Tells that nothing could be written: the disk is full, or storage is blocked. */
export interface KeyRingFault {
  readonly kind: 'not-stored';
}

/**
 * Stores the pinned public keys of this browser profile. They are read at each use and never kept in memory, so that a
 * key revoked in another window is revoked everywhere at once.
 */
export interface KeyRing {
  /** Returns no keys where storage cannot be read. Bytes are not judged here: whoever verifies does that, each time. */
  read(): Promise<PinnedKey[]>;
  /** Applies one change in one transaction and returns the ring after it. */
  change(
    change: (ring: readonly PinnedKey[]) => readonly PinnedKey[],
  ): Promise<Result<PinnedKey[], KeyRingFault>>;
  /** Tells of stored keys that are not in the ring, because this version cannot read them. */
  unused(): Promise<UnusedRecords>;
  /** Removes the keys that were set aside as unreadable. */
  removeUnreadable(): Promise<void>;
  /** Calls back when another page of this origin has changed the ring. */
  watch(changed: () => void): () => void;
}

export const pinnedKeyForm = defineForm<PinnedKey>('pinned-key', (fields) => {
  const key = readRing([fields])[0];
  return key === undefined ? fail('raw') : succeed(key);
});

const listName = 'pinned-keys';

export function createKeyRing(tables: Tables = createTables()): KeyRing {
  const list = createRecordList(tables, listName, pinnedKeyForm);
  const channel = new BroadcastChannel('counterfoil-key-ring');
  return {
    async read() {
      return [...(await list.read().catch(() => []))];
    },
    async change(change) {
      const written = await list.change(change).catch(() => undefined);
      if (written?.ok !== true) return fail({ kind: 'not-stored' });
      channel.postMessage('changed');
      return succeed([...written.value]);
    },
    async unused() {
      try {
        return await list.unused();
      } catch (error) {
        return { unreadable: 0, newer: isNewerDatabase(error) };
      }
    },
    async removeUnreadable() {
      await tables.transact(['quarantine'], 'readwrite', (transaction) =>
        walk(transaction.objectStore('quarantine').openCursor(), async (cursor) => {
          if (cursor.value.source === listName) await cursor.delete();
        }),
      );
      channel.postMessage('changed');
    },
    watch(changed) {
      channel.addEventListener('message', changed);
      return () => {
        channel.removeEventListener('message', changed);
      };
    },
  };
}
