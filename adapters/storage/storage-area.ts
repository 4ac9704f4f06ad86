/** One of the browser's `storage` areas, as far as it is used: JSON values under string keys. */
export interface StorageArea {
  get(keys: string | string[] | null): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(keys: string | string[]): Promise<void>;
  /** Sets which contexts may read the area. Only Chromium has it. */
  setAccessLevel?(level: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void>;
}

/**
 * Keeps content scripts out of an area where the browser can (Chromium). Firefox cannot, which is why no plain key
 * ever lies in `storage.local`.
 */
export async function restrictToTrustedContexts(area: StorageArea): Promise<void> {
  await area.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' });
}

/** Reads and writes values that live in memory and go when the browser closes, as `storage.session` does. */
export interface SessionArea {
  get(name: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(name: string): Promise<void>;
}

export interface WatchedSessionArea extends SessionArea {
  readonly onChanged: {
    addListener(listener: (changes: Record<string, { newValue?: unknown }>) => void): void;
  };
}

/** Reports that a newer build of the program is at work, so that this one writes nothing any more. */
export class OutdatedBuild extends Error {
  override readonly name = 'OutdatedBuild';
}

/** Lets an area be changed only while `mayWrite` says so. */
export function writableWhile(area: StorageArea, mayWrite: () => boolean): StorageArea {
  const whileNewest =
    <T>(change: (what: T) => Promise<void>) =>
    async (what: T): Promise<void> => {
      if (!mayWrite()) throw new OutdatedBuild();
      await change(what);
    };
  return {
    get: (keys) => area.get(keys),
    set: whileNewest((items: Record<string, unknown>) => area.set(items)),
    remove: whileNewest((keys: string | string[]) => area.remove(keys)),
  };
}

/**
 * Remembers chosen values of a storage area, so that each is read once. Every reader and writer of these values must
 * use the returned area: a change made elsewhere is not seen.
 *
 * A value counts from the call of `set` on, before it is stored; when storing it fails, the next `get` reads the area
 * again.
 * @param isRemembered tells by its key whether a value is remembered
 */
export function rememberValues(
  area: StorageArea,
  isRemembered: (key: string) => boolean,
): StorageArea {
  /** The values by key, being read or known; of `undefined` where there is none. */
  const known = new Map<string, Promise<unknown>>();

  function read(key: string): Promise<unknown> {
    const value = area.get(key).then((found) => found[key]);
    known.set(key, value);
    value.catch(() => {
      if (known.get(key) === value) known.delete(key);
    });
    return value;
  }

  /** Waits for a change of the area, and forgets what it was about when it fails. */
  async function change(keys: readonly string[], work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      for (const key of keys) known.delete(key);
      throw error;
    }
  }

  return {
    async get(keys) {
      if (typeof keys !== 'string' || !isRemembered(keys)) return area.get(keys);
      const value = await (known.get(keys) ?? read(keys));
      return value === undefined ? {} : { [keys]: value };
    },

    set(items) {
      for (const [key, value] of Object.entries(items))
        if (isRemembered(key)) known.set(key, Promise.resolve(value));
      return change(Object.keys(items), area.set(items));
    },

    remove(keys) {
      const gone = [keys].flat();
      for (const key of gone) if (isRemembered(key)) known.set(key, Promise.resolve(undefined));
      return change(gone, area.remove(keys));
    },
  };
}
