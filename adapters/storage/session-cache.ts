import type { StorageArea } from '#adapters/storage/storage-area';
import type { CheckAnswer } from '#core/check/index';
import type { PurchaseReply } from '#core/marketplaces/asking';
import type { KeyRefusal } from '#core/connections/index';
import type { Fault, Item } from '#core/marketplaces/index';
import type { Result } from '#core/result';
import type { NewEntry } from '#adapters/storage/history-store';

/** The records that survive a stop of the worker, by kind. All of them can be requested again. */
export interface SessionRecords {
  /** By code. */
  reply: CachedReply;
  pace: Pace;
  /** By code. */
  search: InterruptedSearch;
  /** By the question's own id. */
  question: OpenQuestion;
  /** When the last account check that passed with the present key began, epoch milliseconds. */
  account: number;
  /** The last account check that refused the present key. */
  refusal: KeyRefusal;
  /** The items to try with a code one by one, in search order. */
  items: { readonly items: readonly Pick<Item, 'id' | 'name'>[]; readonly fetchedAt: number };
}

/** The request rate of one connection, and its server's `Retry-After`. Moments are epoch milliseconds. */
export interface Pace {
  /** When the present window began: its first request. */
  readonly startedAt: number;
  readonly sent: number;
  /**
   * How many more requests the server accepts: its own count minus the requests sent since; absent if it gives none.
   */
  readonly left?: number;
  /** The server's own `Retry-After`. */
  readonly waitUntil?: number;
}

export interface CachedReply {
  readonly answer: CheckAnswer;
  readonly checkedAt: number;
  /** The corrected spelling that was found; absent if the code was found as typed, or not at all. */
  readonly foundSpelling?: string;
  /** When it expires, epoch milliseconds. */
  readonly until: number;
}

/** An interrupted search for the encoding that a server reads, or for the item of a code. */
export interface InterruptedSearch {
  readonly connectionId: string;
  readonly code: string;
  readonly replies: readonly (readonly [attempt: string, reply: Result<PurchaseReply, Fault>])[];
  /** When it expires, epoch milliseconds. */
  readonly until: number;
}

export interface OpenQuestion {
  /** Answers that were given again; they are stored when a connection gives a new one. */
  readonly waiting: readonly NewEntry[];
  /** The ids of the connections whose answers are stored. */
  readonly stored: readonly string[];
  /** When it expires, epoch milliseconds. */
  readonly until: number;
}

/** The owner of a value: one revision of a connection and, if it applies, the code. */
export interface SessionOwner {
  readonly id: string;
  readonly revision: number;
  readonly code?: string;
}

/** Stores these records in the browser's session storage, each under its owner. */
export interface SessionCache {
  read<K extends keyof SessionRecords>(
    kind: K,
    owner: SessionOwner,
  ): Promise<SessionRecords[K] | undefined>;
  /**
   * Returns false if the browser has no room; everything here can be requested again.
   * @param isOutdated tells whether everything was forgotten after the value was requested; then the value does not
   * stay stored
   */
  write<K extends keyof SessionRecords>(
    kind: K,
    owner: SessionOwner,
    value: SessionRecords[K],
    isOutdated: () => boolean,
  ): Promise<boolean>;
  /**
   * Removes all records of a connection, in all revisions; without an id, all records.
   * @param exceptKey whether what is known of its API key stays
   */
  forget(connectionId?: string, exceptKey?: boolean): Promise<void>;
  prune<K extends keyof SessionRecords>(
    kind: K,
    isStale: (value: SessionRecords[K]) => boolean,
  ): Promise<void>;
}

const prefix = 'cache:';

/** The kinds that tell of an API key. */
const ofKey: readonly string[] = ['account', 'refusal'] satisfies (keyof SessionRecords)[];

/**
 * Makes the key of a record. JSON separates the parts whatever characters they contain, so different owners never share
 * a key.
 */
export function sessionKey(kind: string, { id, revision, code }: SessionOwner): string {
  return prefix + JSON.stringify([kind, id, revision, ...(code === undefined ? [] : [code])]);
}

/** Reads kind and connection from a key made by `sessionKey`; `undefined` for any other key. */
export function readSessionKey(
  key: string,
): { readonly kind: string; readonly connectionId: string } | undefined {
  if (!key.startsWith(prefix)) return undefined;
  const [kind, connectionId] = JSON.parse(key.slice(prefix.length)) as [string, string];
  return { kind, connectionId };
}

/** Returns a test whether the record of a key is of one of these kinds. */
export function isOfKind(kinds: readonly string[]): (key: string) => boolean {
  const starts = kinds.map((kind) => `${prefix}[${JSON.stringify(kind)},`);
  return (key) => starts.some((start) => key.startsWith(start));
}

/**
 * Stores what a restarted worker needs, in the browser's session storage. That is cleared when the browser closes and
 * when the extension is updated, so values always have the present format.
 */
export function createSessionCache(area: StorageArea): SessionCache {
  async function remove(
    isGone: (kind: string, connectionId: string, value: unknown) => boolean,
  ): Promise<void> {
    const gone = Object.entries(await area.get(null)).flatMap(([key, value]) => {
      const read = readSessionKey(key);
      return read && isGone(read.kind, read.connectionId, value) ? [key] : [];
    });
    await area.remove(gone);
  }

  return {
    async read(kind, owner) {
      const key = sessionKey(kind, owner);
      return (await area.get(key))[key] as SessionRecords[typeof kind] | undefined;
    },

    async write(kind, owner, value, isOutdated) {
      if (isOutdated()) return true;
      const key = sessionKey(kind, owner);
      try {
        await area.set({ [key]: value });
      } catch {
        return false;
      }
      // A concurrent `forget` may have listed the keys before this one was written.
      if (isOutdated()) await area.remove(key);
      return true;
    },

    forget: (connectionId, exceptKey) =>
      remove(
        (kind, id) => (connectionId ?? id) === id && !(exceptKey === true && ofKey.includes(kind)),
      ),

    prune: (kind, isStale) =>
      remove(
        (found, _id, value) => found === kind && isStale(value as SessionRecords[typeof kind]),
      ),
  };
}
