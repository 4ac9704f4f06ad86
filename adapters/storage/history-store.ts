import * as v from 'valibot';

import { announce } from '#adapters/browser/announcements';
import type { HistoryEntry, HistoryPort } from '#core/history/index';
import { type Result, succeed, omitUndefined } from '#core/result';
import { canonicalCode } from '#core/codes/index';
import {
  defineRecord,
  type Tables,
  createTables,
  readNext,
  readRecord,
  readRecords,
  walk,
} from '#adapters/storage/tables';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import { createStoredSetting, type StoredSetting } from '#adapters/storage/stored-setting';
import type { Restore, StorageFull } from '#core/storage/index';
import { isRecord } from '#core/record';
import {
  type HistorySettings,
  historySettingsSchema,
  readHistorySettings,
} from '#core/preferences/index';

export type NewEntry = Omit<HistoryEntry, 'id'>;

/** The history of a code before its check is recorded. */
export interface HistoryLookup {
  readonly settings: HistorySettings;
  readonly codeId: string;
  readonly spellingIds: ReadonlyMap<string, string>;
  /** Every entry of the code, newest first. */
  readonly entries: readonly HistoryEntry[];
}

type SharedHistory = Pick<
  HistoryPort,
  'settings' | 'changeSettings' | 'codeIdOf' | 'erase' | 'prune' | 'mask'
>;

interface NamedCode {
  /** The canonical spelling, shared by all spellings of the code. */
  readonly code: string;
  readonly spelling: string;
}

type CodeIds = Pick<NewEntry, 'codeId'> & { readonly spellingId: string };

/** Records checks, in the worker. */
export interface HistoryStore extends SharedHistory {
  /** Returns digests of codes, and of the spelling in which each was found. Reads the digest key once. */
  idsOf(codes: readonly NamedCode[]): Promise<CodeIds[]>;
  /** Writes entries, and announces that to open pages. */
  add(entries: readonly NewEntry[]): Promise<Result<void, StorageFull>>;
  /**
   * Changes the entries of answers, or removes those for which undefined is returned, and announces that to open pages.
   * Removed entries stay removed.
   */
  amend(
    answers: readonly Pick<NewEntry, 'codeId' | 'question' | 'connectionId'>[],
    edit: (entry: HistoryEntry) => HistoryEntry | undefined,
  ): Promise<Result<void, StorageFull>>;
  /**
   * Reads everything needed to record a check of a code; if the history is off, returns undefined and reads no entry.
   */
  lookUp(code: string, spellings: readonly string[]): Promise<HistoryLookup | undefined>;
  /** Returns an entry; undefined if it is gone or cannot be read. */
  entry(id: number): Promise<HistoryEntry | undefined>;
  forgetConnection(connectionId: string): Promise<void>;
}

/** The members of an answer are validated where it is shown. */
const answerSchema = v.custom<HistoryEntry['answer']>(
  (value) => isRecord(value) && (value['kind'] === 'purchase' || value['kind'] === 'not-found'),
);

export const entryCodec = defineRecord(
  parseWithSchema<HistoryEntry>(
    v.object({
      id: v.number(),
      codeId: v.string(),
      spellingId: v.exactOptional(v.string()),
      code: v.string(),
      sealed: v.exactOptional(v.strictObject({ iv: v.string(), data: v.string() })),
      connectionId: v.string(),
      connectionName: v.string(),
      checkedAt: v.number(),
      answer: answerSchema,
      by: v.picklist(['agent', 'bulk']),
      question: v.string(),
      asked: v.exactOptional(v.array(v.string())),
      kept: v.exactOptional(v.literal(true)),
      jobId: v.exactOptional(v.string()),
      ticket: v.exactOptional(v.string()),
      note: v.exactOptional(v.string()),
    }),
  ),
);

export const historySettingsCodec = defineRecord<HistorySettings>(
  parseWithSchema(historySettingsSchema),
);

function settingsOf(value: unknown): HistorySettings {
  const reading = historySettingsCodec.read(value);
  return reading.kind === 'readable' ? reading.record : readHistorySettings(value);
}

export function createHistorySetting(tables: Tables): StoredSetting<HistorySettings> {
  return createStoredSetting({
    area: {
      get: (key) =>
        tables.transact(['history-values'], 'readonly', async (transaction) => ({
          [key]: await transaction.objectStore('history-values').get(key),
        })),
      set: (items) =>
        tables.transact(['history-values'], 'readwrite', async (transaction) => {
          for (const [key, value] of Object.entries(items))
            await transaction.objectStore('history-values').put(value, key);
        }),
      remove: (key) =>
        tables.transact(['history-values'], 'readwrite', (transaction) =>
          transaction.objectStore('history-values').delete(key),
        ),
    },
    key: 'settings',
    codec: historySettingsCodec,
    salvage: readHistorySettings,
  });
}

/**
 * For how many recently forgotten connections an undo is prevented from restoring entries. Undo is only offered for
 * seconds.
 */
const maxForgotten = 20;

/** @param undoOf returns a function that restores removed entries; without it they cannot be restored */
function openHistory(
  tables: Tables,
  undoOf: (removed: readonly unknown[]) => Restore | undefined = () => undefined,
) {
  // It is not cached, because everything stored may be erased while the worker runs.
  async function readDigestKey(): Promise<CryptoKey | undefined> {
    const stored = await tables.transact(['history-values'], 'readonly', (transaction) =>
      transaction.objectStore('history-values').get('digest'),
    );
    return stored instanceof CryptoKey ? stored : undefined;
  }

  /** Returns the stored key, or creates one. If two are created at the same time, the one written first is used. */
  async function findDigestKey(): Promise<CryptoKey> {
    const present = await readDigestKey();
    if (present !== undefined) return present;
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

  const setting = createHistorySetting(tables);

  async function ofCode(codeId: string): Promise<HistoryEntry[]> {
    const read = await tables.transact(['history'], 'readonly', (transaction) =>
      readerOf(transaction.objectStore('history').index('code'))(codeId),
    );
    return read.toReversed();
  }

  const shared: SharedHistory = {
    settings: async () => (await setting.read()) ?? settingsOf(undefined),

    async changeSettings(changes) {
      let before = settingsOf(undefined);
      const changed = await setting.change((present) => {
        before = present ?? before;
        return { ...before, ...changes };
      });
      return changed.ok ? succeed({ before, after: changed.value }) : changed;
    },

    async codeIdOf(code) {
      const key = await readDigestKey();
      return key === undefined ? '' : digest(key, canonicalCode(code));
    },

    erase: async () =>
      undoOf(
        await tables.transact(['history'], 'readwrite', async (transaction) => {
          const store = transaction.objectStore('history');
          const removed = await store.getAll();
          await store.clear();
          return removed;
        }),
      ),

    prune: async (before) =>
      undoOf(
        await tables.transact(['history'], 'readwrite', async (transaction) => {
          const store = transaction.objectStore('history');
          const entriesOfCode = readerOf(store.index('code'));
          const removed: unknown[] = [];
          const range = IDBKeyRange.upperBound(before, true);
          await walk(store.index('time').openCursor(range), async (cursor) => {
            const entry = readRecord(cursor.value, entryCodec);
            const others = entry === undefined ? [] : await othersIn(entriesOfCode, entry);
            const isNeeded = others.some(({ checkedAt }) => checkedAt >= before);
            if (isNeeded) return;
            removed.push(cursor.value);
            await cursor.delete();
          });
          return removed;
        }),
      ),

    mask: async (before) => {
      await tables.write(['history', 'history-values'], async (transaction) => {
        const values = transaction.objectStore('history-values');
        const done: unknown = await values.get('masked-before');
        const from = typeof done === 'number' ? Math.min(done, before) : 0;
        await values.put(before, 'masked-before');
        // IndexedDB throws for an empty range.
        if (from >= before) return;
        const index = transaction.objectStore('history').index('time');
        await walk(
          index.openCursor(IDBKeyRange.bound(from, before, false, true)),
          async (cursor) => {
            const entry = readRecord(cursor.value, entryCodec);
            if (entry?.sealed === undefined) return;
            const { sealed: _, ...masked } = entry;
            await cursor.update(entryCodec.write(masked));
          },
        );
      });
    },
  };
  return { shared, findDigestKey, ofCode };
}

export function createHistoryStore(tables: Tables): HistoryStore {
  const history = openHistory(tables);
  return {
    ...history.shared,

    async idsOf(codes) {
      const key = await history.findDigestKey();
      return Promise.all(
        codes.map(async ({ code, spelling }) => {
          const names = [canonicalCode(code), nameOfSpelling(spelling)];
          const [codeId = '', spellingId = ''] = await Promise.all(
            names.map((name) => digest(key, name)),
          );
          return { codeId, spellingId };
        }),
      );
    },

    async lookUp(code, spellings) {
      const [value, stored] = await tables.transact(['history-values'], 'readonly', (transaction) =>
        Promise.all([
          transaction.objectStore('history-values').get('settings'),
          transaction.objectStore('history-values').get('digest'),
        ]),
      );
      const settings = settingsOf(value);
      if (settings.days === 0) return undefined;
      const key = stored instanceof CryptoKey ? stored : await history.findDigestKey();
      const [codeId, ...ids] = await Promise.all([
        digest(key, canonicalCode(code)),
        ...spellings.map((spelling) => digest(key, nameOfSpelling(spelling))),
      ]);
      const spellingIds = new Map(spellings.map((spelling, at) => [spelling, ids[at] ?? '']));
      return { settings, codeId, spellingIds, entries: await history.ofCode(codeId) };
    },

    async add(entries) {
      const added = await tables.write(['history'], async (transaction) => {
        const store = transaction.objectStore('history');
        await Promise.all(
          entries.map((entry) => store.add(entryCodec.write(entry as HistoryEntry))),
        );
      });
      if (added.ok) announce('history', null);
      return added;
    },

    async amend(answers, edit) {
      const amended = await tables.write(['history'], async (transaction) => {
        const store = transaction.objectStore('history');
        const entriesOfCode = readerOf(store.index('code'));
        await Promise.all(
          answers.map(async ({ codeId, question, connectionId }) => {
            const ofAnswer = (await entriesOfCode(codeId)).filter(
              (entry) => entry.question === question && entry.connectionId === connectionId,
            );
            for (const entry of ofAnswer) {
              const edited = edit(entry);
              if (edited === undefined) await store.delete(entry.id);
              else await store.put(entryCodec.write(edited));
            }
          }),
        );
      });
      if (amended.ok) announce('history', null);
      return amended;
    },

    entry: (id) =>
      tables.transact(['history'], 'readonly', async (transaction) => {
        return readRecord(await transaction.objectStore('history').get(id), entryCodec);
      }),

    forgetConnection: (connectionId) =>
      tables.transact(['history', 'history-values'], 'readwrite', async (transaction) => {
        const values = transaction.objectStore('history-values');
        const forgotten: unknown = await values.get('forgotten');
        const earlier: unknown[] = Array.isArray(forgotten) ? forgotten : [];
        await values.put([connectionId, ...earlier].slice(0, maxForgotten), 'forgotten');
        await walk(transaction.objectStore('history').openCursor(), async (cursor) => {
          const entry = readRecord(cursor.value, entryCodec);
          if (entry === undefined) return;
          const { asked, ...record } = entry;
          if (record.connectionId === connectionId) await cursor.delete();
          else if (asked?.includes(connectionId) === true)
            await cursor.update(
              entryCodec.write({ ...record, asked: asked.filter((id) => id !== connectionId) }),
            );
        });
      }),
  };
}

export function createPageHistory(tables: Tables = createTables()): HistoryPort {
  const undoOf = (removed: readonly unknown[]): Restore | undefined => restoreOf(tables, removed);
  const { shared, ofCode } = openHistory(tables, undoOf);
  return {
    ...shared,

    latest: (count, span) =>
      tables.transact(['history'], 'readonly', async (transaction) => {
        const index = transaction.objectStore('history').index('time');
        const entriesOfCode = readerOf(transaction.objectStore('history').index('code'));
        if (span !== undefined) {
          const range = IDBKeyRange.bound(span.from, span.to, false, true);
          const read = readRecords(await index.getAll(range), entryCodec).toReversed();
          return withCutOff(entriesOfCode, read.slice(0, count));
        }
        // Reading a range at once is ten times as fast as a cursor.
        const last = await index.openKeyCursor(null, 'prev');
        const first = count > 1 ? await last?.advance(count - 1) : last;
        const range = first ? IDBKeyRange.lowerBound(first.key) : undefined;
        const read = readRecords(await index.getAll(range), entryCodec).toReversed();
        if (!first) return read.slice(0, count);
        if (read.length >= count) return withCutOff(entriesOfCode, read.slice(0, count));
        // If some cannot be read, older ones replace them.
        const earlier = index.openCursor(IDBKeyRange.upperBound(first.key, true), 'prev');
        return [...read, ...(await readNext(earlier, entryCodec, count - read.length))];
      }),

    ofLatestCodes: (count) =>
      tables.transact(['history'], 'readonly', async (transaction) => {
        const store = transaction.objectStore('history');
        const entriesOfCode = readerOf(store.index('code'));
        const ofAgent = IDBKeyRange.bound(['agent'], ['agent', []]);
        const entries = new Map<string, readonly HistoryEntry[]>();
        let cursor = await store.index('by').openKeyCursor(ofAgent, 'prev');
        for (; cursor !== null && entries.size < count; cursor = await cursor.continue()) {
          const [, , codeId] = cursor.key;
          if (entries.has(codeId)) continue;
          const read = await entriesOfCode(codeId);
          if (read.length > 0) entries.set(codeId, read.toReversed());
        }
        return [...entries.values()]
          .flat()
          .toSorted((one, other) => other.checkedAt - one.checkedAt);
      }),

    oldest: () =>
      tables.transact(['history'], 'readonly', async (transaction) => {
        const cursor = await transaction.objectStore('history').index('time').openKeyCursor();
        return typeof cursor?.key === 'number' ? cursor.key : undefined;
      }),

    ofCode,

    annotate: (id, { ticket, note }) =>
      tables.write(['history'], async (transaction) => {
        const store = transaction.objectStore('history');
        const present = readRecord(await store.get(id), entryCodec);
        if (present === undefined) return;
        await store.put(
          entryCodec.write(
            omitUndefined({
              ...present,
              ticket: ticket === '' ? undefined : ticket,
              note: note === '' ? undefined : note,
            }),
          ),
        );
      }),

    remove: async (ids) =>
      undoOf(
        await tables.transact(['history'], 'readwrite', async (transaction) => {
          const store = transaction.objectStore('history');
          const removed = await Promise.all(ids.map((id) => store.get(id)));
          await Promise.all(ids.map((id) => store.delete(id)));
          return removed.filter((entry) => entry !== undefined);
        }),
      ),
  };
}

type ReadCode = (codeId: string) => Promise<readonly HistoryEntry[]>;

/** Returns a reader for the entries of one code in a transaction. */
function readerOf(index: { getAll(range: IDBKeyRange): Promise<unknown[]> }): ReadCode {
  return async (codeId) => readRecords(await index.getAll(entriesOf(codeId)), entryCodec);
}

/** Returns the other answers of an entry's check. */
async function othersIn(
  entriesOfCode: ReadCode,
  { id, asked = [], codeId, question }: HistoryEntry,
): Promise<readonly HistoryEntry[]> {
  if (asked.length < 2) return [];
  return (await entriesOfCode(codeId)).filter(
    (entry) => entry.id !== id && entry.question === question,
  );
}

/** Adds the answers of the same checks that are outside the range that was read. @param read newest first */
async function withCutOff(
  entriesOfCode: ReadCode,
  read: readonly HistoryEntry[],
): Promise<HistoryEntry[]> {
  const checks = Map.groupBy(read, ({ codeId, question }) => `${codeId} ${question}`);
  const whole = [...checks.values()].map(async (entries) => {
    const answered = new Set(entries.map(({ connectionId }) => connectionId));
    const cut = entries.find(({ asked }) => asked?.some((id) => !answered.has(id)) === true);
    const others = cut === undefined ? [] : await othersIn(entriesOfCode, cut);
    return others.filter(({ id }) => entries.every((entry) => entry.id !== id));
  });
  const added = (await Promise.all(whole)).flat();
  if (added.length === 0) return [...read];
  return [...read, ...added].toSorted((one, other) => other.checkedAt - one.checkedAt);
}

/**
 * Entries that were masked or forgotten in the meantime are restored masked, or not at all.
 * @param removed as they were stored, including those of a newer version of the program
 */
function restoreOf(tables: Tables, removed: readonly unknown[]): Restore | undefined {
  if (removed.length === 0) return undefined;
  return () =>
    tables.write(['history', 'history-values'], async (transaction) => {
      const store = transaction.objectStore('history');
      const values = transaction.objectStore('history-values');
      const [masked, forgotten] = await Promise.all([
        values.get('masked-before'),
        values.get('forgotten'),
      ]);
      const isForgotten = (id: string): boolean =>
        Array.isArray(forgotten) && forgotten.includes(id);
      await Promise.all(
        removed.map(async (stored) => {
          const read = entryCodec.read(stored);
          if (read.kind !== 'readable') return store.put(stored);
          const { sealed, ...entry } = read.record;
          if (isForgotten(entry.connectionId)) return undefined;
          const isMasked = typeof masked === 'number' && entry.checkedAt < masked;
          return store.put(isMasked || sealed === undefined ? entryCodec.write(entry) : stored);
        }),
      );
    });
}

const entriesOf = (codeId: string): IDBKeyRange => IDBKeyRange.bound([codeId], [codeId, []]);

const nameOfSpelling = (code: string): string => `spelling ${code}`;

/** Returns the first 128 bits of a text's HMAC, in hexadecimal. */
async function digest(key: CryptoKey, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes)).slice(0, 16);
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
