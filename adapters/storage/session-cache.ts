import type { StorageArea } from '#adapters/storage/storage-area';

/** Tells whose a value is: one revision of a connection, and where it applies the code asked about. */
export interface SessionOwner {
  /** Of the connection. */
  readonly id: string;
  readonly revision: number;
  readonly code?: string;
}

/**
 * Keeps values in the browser's session storage, each under its owner.
 * @template R what may be kept, by kind; every value must survive JSON.
 */
export interface SessionStore<R extends object> {
  read<K extends keyof R & string>(kind: K, owner: SessionOwner): Promise<R[K] | undefined>;
  /**
   * Returns false when the browser had no room: what lies here may always be asked for again.
   * @param isOutdated tells whether everything was forgotten since the value was asked for: nothing of it stays then
   */
  write<K extends keyof R & string>(
    kind: K,
    owner: SessionOwner,
    value: R[K],
    isOutdated: () => boolean,
  ): Promise<boolean>;
  /** Removes everything of a connection, of all revisions; without an id, everything of all. */
  forget(connectionId?: string): Promise<void>;
  /** Removes the records of a kind that `isStale` names. */
  prune<K extends keyof R & string>(kind: K, isStale: (value: R[K]) => boolean): Promise<void>;
}

const prefix = 'cache:';

/** Makes the key of a record. Different owners never share one: JSON keeps the parts apart whatever characters they hold. */
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

/** Returns the test of a key that tells whether its record is of one of these kinds. */
export function isOfKind(kinds: readonly string[]): (key: string) => boolean {
  const starts = kinds.map((kind) => `${prefix}[${JSON.stringify(kind)},`);
  return (key) => starts.some((start) => key.startsWith(start));
}

/**
 * Stores what a stopped worker must find again, in the browser's session storage. It goes when the browser closes and when
 * the extension is updated, so values are always in the present format.
 */
export function createSessionStore<R extends object>(area: StorageArea): SessionStore<R> {
  const entries = async () =>
    Object.entries(await area.get(null)).flatMap(([key, value]) => {
      const read = readSessionKey(key);
      return read === undefined ? [] : [{ ...read, key, value }];
    });

  return {
    async read(kind, owner) {
      const key = sessionKey(kind, owner);
      return (await area.get(key))[key] as R[typeof kind] | undefined;
    },

    async write(kind, owner, value, isOutdated) {
      if (isOutdated()) return true;
      const key = sessionKey(kind, owner);
      try {
        await area.set({ [key]: value });
      } catch {
        return false;
      }
      // What forgets everything may have looked before this value was there.
      if (isOutdated()) await area.remove(key);
      return true;
    },

    async forget(connectionId) {
      const theirs = (await entries()).filter(
        (entry) => connectionId === undefined || entry.connectionId === connectionId,
      );
      if (theirs.length > 0) await area.remove(theirs.map(({ key }) => key));
    },

    async prune(kind, isStale) {
      const stale = (await entries()).filter(
        (entry) => entry.kind === kind && isStale(entry.value as R[typeof kind]),
      );
      if (stale.length > 0) await area.remove(stale.map(({ key }) => key));
    },
  };
}
