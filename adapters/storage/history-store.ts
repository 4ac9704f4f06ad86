import { type HistoryEntry, type HistorySettings, readHistorySettings } from '#core/history/entry';
import type { Result } from '#core/result';
import { canonicalCode } from '#core/check/same-code';
import { type StorageFull, createDatabase, done, walk } from '#adapters/storage/database';

export type NewEntry = Omit<HistoryEntry, 'id'>;

/** What was checked, in IndexedDB. */
export interface HistoryStore {
  settings(): Promise<HistorySettings>;
  setSettings(settings: HistorySettings): Promise<void>;
  /** Names a code without holding it: the same for all spellings of one code, and of no use in another browser. */
  codeIdOf(code: string): Promise<string>;
  add(entries: readonly NewEntry[]): Promise<Result<void, StorageFull>>;
  /** The latest first, so many at most. */
  latest(count: number): Promise<HistoryEntry[]>;
  /** Every entry of one code, the latest first. */
  ofCode(codeId: string): Promise<HistoryEntry[]>;
  /** Changes what the agent added: ticket and note. */
  annotate(
    id: number,
    added: { readonly ticket: string; readonly note: string },
  ): Promise<Result<void, StorageFull>>;
  remove(id: number): Promise<void>;
  /** Erases all of it; settings stay. */
  erase(): Promise<void>;
  /** Removes what was checked before that moment, epoch milliseconds. */
  prune(before: number): Promise<void>;
  forgetConnection(connectionId: string): Promise<void>;
}

const everyStore = ['entries', 'settings'];

export function createHistoryStore(name = 'counterfoil-history'): HistoryStore {
  const database = createDatabase(name, (made) => {
    const entries = made.createObjectStore('entries', { keyPath: 'id', autoIncrement: true });
    entries.createIndex('time', 'checkedAt');
    entries.createIndex('code', ['codeId', 'checkedAt']);
    made.createObjectStore('settings');
  });
  let digestKey: Promise<CryptoKey> | undefined;

  /** Two who make one at the same time end up with the one that was written first. */
  async function findDigestKey(): Promise<CryptoKey> {
    const kept = (): Promise<unknown> =>
      database.transact(['settings'], 'readonly', (store) => done(store('settings').get('digest')));
    const present = await kept();
    if (present instanceof CryptoKey) return present;
    const made = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    return database.transact(['settings'], 'readwrite', async (store) => {
      const other: unknown = await done(store('settings').get('digest'));
      if (other instanceof CryptoKey) return other;
      await done(store('settings').put(made, 'digest'));
      return made;
    });
  }

  return {
    settings: async () =>
      readHistorySettings(
        await database.transact(['settings'], 'readonly', (store) =>
          done(store('settings').get('settings')),
        ),
      ),

    setSettings: (settings) =>
      database.transact(['settings'], 'readwrite', async (store) => {
        await done(store('settings').put(settings, 'settings'));
      }),

    async codeIdOf(code) {
      const key = await (digestKey ??= findDigestKey());
      const bytes = new TextEncoder().encode(canonicalCode(code));
      const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes)).slice(0, 16);
      return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    },

    add: (entries) =>
      database.write(['entries'], (store) => {
        for (const entry of entries) store('entries').add(entry);
        return Promise.resolve();
      }),

    latest: (count) =>
      database.transact(['entries'], 'readonly', async (store) => {
        const entries: HistoryEntry[] = [];
        await walk(store('entries').index('time').openCursor(null, 'prev'), (cursor) => {
          entries.push(cursor.value as HistoryEntry);
          return entries.length < count;
        });
        return entries;
      }),

    ofCode: (codeId) =>
      database.transact(['entries'], 'readonly', async (store) => {
        const range = IDBKeyRange.bound([codeId], [codeId, []]);
        const found = await done(store('entries').index('code').getAll(range));
        return (found as HistoryEntry[]).toReversed();
      }),

    annotate: (id, { ticket, note }) =>
      database.write(['entries'], async (store) => {
        const entry = (await done(store('entries').get(id))) as HistoryEntry | undefined;
        if (entry === undefined) return;
        const { codeId, code, connectionId, connectionName, checkedAt, answer, by } = entry;
        await done(
          store('entries').put({
            ...{ id, codeId, code, connectionId, connectionName, checkedAt, answer, by },
            ...(ticket === '' ? {} : { ticket }),
            ...(note === '' ? {} : { note }),
          }),
        );
      }),

    remove: (id) =>
      database.transact(['entries'], 'readwrite', async (store) => {
        await done(store('entries').delete(id));
      }),

    erase: () =>
      database.transact(everyStore, 'readwrite', async (store) => {
        await done(store('entries').clear());
      }),

    prune: (before) =>
      database.transact(['entries'], 'readwrite', async (store) => {
        const old = IDBKeyRange.upperBound(before, true);
        await walk(store('entries').index('time').openCursor(old), (cursor) => {
          cursor.delete();
          return undefined;
        });
      }),

    forgetConnection: (connectionId) =>
      database.transact(['entries'], 'readwrite', async (store) => {
        await walk(store('entries').openCursor(), (cursor) => {
          if ((cursor.value as HistoryEntry).connectionId === connectionId) cursor.delete();
          return undefined;
        });
      }),
  };
}
