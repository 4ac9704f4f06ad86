import * as v from 'valibot';

import { type HistoryEntry, type HistorySettings, readHistorySettings } from '#core/history/entry';
import type { Result } from '#core/result';
import { canonicalCode } from '#core/check/same-code';
import { defineForm, isFields, parseWith } from '#adapters/storage/migrations';
import { moveAside } from '#adapters/storage/quarantine';
import { readTable, walk } from '#adapters/storage/read-table';
import { type StorageFull, type Tables, createTables } from '#adapters/storage/tables';

export type NewEntry = Omit<HistoryEntry, 'id'>;

/** Stores what was checked. */
export interface HistoryStore {
  settings(): Promise<HistorySettings>;
  setSettings(settings: HistorySettings): Promise<void>;
  /** Names a code without holding it: the same for all spellings of one code, and of no use in another browser. */
  codeIdOf(code: string): Promise<string>;
  /** Names one spelling of a code without holding it. */
  spellingIdOf(code: string): Promise<string>;
  add(entries: readonly NewEntry[]): Promise<Result<void, StorageFull>>;
  /** Returns the latest first, `count` at most. */
  latest(count: number): Promise<HistoryEntry[]>;
  /** Returns every entry of one code, the latest first. */
  ofCode(codeId: string): Promise<HistoryEntry[]>;
  /** Changes what the agent added: ticket and note. */
  annotate(
    id: number,
    added: { readonly ticket: string; readonly note: string },
  ): Promise<Result<void, StorageFull>>;
  remove(id: number): Promise<void>;
  /** Erases every entry; settings stay. */
  erase(): Promise<void>;
  /** Removes what was checked before that moment, epoch milliseconds. */
  prune(before: number): Promise<void>;
  forgetConnection(connectionId: string): Promise<void>;
}

/** An answer's own members are judged where it is shown. */
const answerSchema = v.custom<HistoryEntry['answer']>(
  (value) => isFields(value) && (value['kind'] === 'purchase' || value['kind'] === 'not-found'),
);

const entryForm = defineForm(
  'history-entry',
  parseWith<HistoryEntry>(
    v.object({
      id: v.number(),
      codeId: v.string(),
      spellingId: v.exactOptional(v.string()),
      code: v.string(),
      connectionId: v.string(),
      connectionName: v.string(),
      checkedAt: v.number(),
      answer: answerSchema,
      by: v.picklist(['agent', 'bulk']),
      ticket: v.exactOptional(v.string()),
      note: v.exactOptional(v.string()),
    }),
  ),
);

export function createHistoryStore(tables: Tables = createTables()): HistoryStore {
  let digestKey: Promise<CryptoKey> | undefined;

  /** Two who make one at the same time end up with the one that was written first. */
  async function findDigestKey(): Promise<CryptoKey> {
    const present = await tables.transact(['history-values'], 'readonly', (transaction) =>
      transaction.objectStore('history-values').get('digest'),
    );
    if (present instanceof CryptoKey) return present;
    const made = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    return tables.transact(['history-values'], 'readwrite', async (transaction) => {
      const store = transaction.objectStore('history-values');
      const other = await store.get('digest');
      if (other instanceof CryptoKey) return other;
      await store.put(made, 'digest');
      return made;
    });
  }

  async function digestOf(text: string): Promise<string> {
    const key = await (digestKey ??= findDigestKey());
    const bytes = new TextEncoder().encode(text);
    const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes)).slice(0, 16);
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  return {
    settings: async () =>
      readHistorySettings(
        await tables.transact(['history-values'], 'readonly', (transaction) =>
          transaction.objectStore('history-values').get('settings'),
        ),
      ),

    setSettings: (settings) =>
      tables.transact(['history-values'], 'readwrite', async (transaction) => {
        await transaction
          .objectStore('history-values')
          .put({ ...settings, version: 1 }, 'settings');
      }),

    codeIdOf: (code) => digestOf(canonicalCode(code)),
    spellingIdOf: (code) => digestOf(`spelling ${code}`),

    add: (entries) =>
      tables.write(['history'], async (transaction) => {
        const store = transaction.objectStore('history');
        await Promise.all(
          entries.map((entry) => store.add(entryForm.write(entry as HistoryEntry))),
        );
      }),

    async latest(count) {
      const entries: HistoryEntry[] = [];
      const unreadable: Parameters<typeof moveAside>[2][number][] = [];
      await tables.transact(['history'], 'readonly', async (transaction) => {
        const index = transaction.objectStore('history').index('time');
        let cursor = await index.openCursor(null, 'prev');
        while (cursor !== null && entries.length < count) {
          const read = entryForm.read(cursor.value);
          if (read.kind === 'readable') entries.push(read.record);
          else if (read.kind === 'unreadable')
            unreadable.push({ key: cursor.primaryKey, path: read.path });
          cursor = await cursor.continue();
        }
      });
      await moveAside(tables, 'history', unreadable, Date.now());
      return entries;
    },

    async ofCode(codeId) {
      const range = IDBKeyRange.bound([codeId], [codeId, []]);
      const { records, unreadable } = await tables.transact(
        ['history'],
        'readonly',
        (transaction) =>
          readTable(transaction.objectStore('history').index('code'), entryForm, range),
      );
      await moveAside(tables, 'history', unreadable, Date.now());
      return records.toReversed();
    },

    annotate: (id, { ticket, note }) =>
      tables.write(['history'], async (transaction) => {
        const store = transaction.objectStore('history');
        const present = entryForm.read(await store.get(id));
        if (present.kind !== 'readable') return;
        const { codeId, spellingId, code, connectionId, connectionName, checkedAt, answer, by } =
          present.record;
        await store.put(
          entryForm.write({
            ...{ id, codeId, code, connectionId, connectionName, checkedAt, answer, by },
            ...(spellingId === undefined ? {} : { spellingId }),
            ...(ticket === '' ? {} : { ticket }),
            ...(note === '' ? {} : { note }),
          }),
        );
      }),

    remove: (id) =>
      tables.transact(['history'], 'readwrite', (transaction) =>
        transaction.objectStore('history').delete(id),
      ),

    erase: () =>
      tables.transact(['history'], 'readwrite', (transaction) =>
        transaction.objectStore('history').clear(),
      ),

    prune: (before) =>
      tables.transact(['history'], 'readwrite', async (transaction) => {
        const index = transaction.objectStore('history').index('time');
        await walk(index.openCursor(IDBKeyRange.upperBound(before, true)), (cursor) =>
          cursor.delete(),
        );
      }),

    forgetConnection: (connectionId) =>
      tables.transact(['history'], 'readwrite', async (transaction) => {
        await walk(transaction.objectStore('history').openCursor(), async (cursor) => {
          const entry = entryForm.read(cursor.value);
          if (entry.kind === 'readable' && entry.record.connectionId === connectionId)
            await cursor.delete();
        });
      }),
  };
}
