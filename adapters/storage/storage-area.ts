/** The part of a browser `storage` area that is used: JSON values under string keys. */
export interface StorageArea {
  get(keys: string | string[] | null): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(keys: string | string[]): Promise<void>;
  /** Sets which contexts may read the area. Exists only in Chromium. */
  setAccessLevel?(level: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void>;
}

/**
 * Prevents content scripts from reading an area, if the browser can (Chromium). Firefox cannot, which is why
 * `storage.local` never contains an unencrypted key.
 */
export async function restrictToTrustedContexts(area: StorageArea): Promise<void> {
  await area.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' });
}

/** An area whose values are in memory and cleared when the browser closes, such as `storage.session`. */
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

/** A newer build of the program is running, so this one must not write. */
export class OutdatedBuild extends Error {
  override readonly name = 'OutdatedBuild';
}

/** Returns an area that can be changed only while `mayWrite` returns true. */
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
 * Caches chosen values of a storage area, so that each is read once. Every reader and writer of these values must use
 * the returned area, because changes made elsewhere are not noticed.
 *
 * A value is visible from the call of `set` on, before it is stored. If storing fails, the next `get` reads the area
 * again.
 * @param isRemembered tells by its key whether a value is cached
 */
export function rememberValues(
  area: StorageArea,
  isRemembered: (key: string) => boolean,
): StorageArea {
  /** The values by key, pending or known; a promise of `undefined` if there is no value. */
  const known = new Map<string, Promise<unknown>>();

  function read(key: string): Promise<unknown> {
    const value = area.get(key).then((found) => found[key]);
    known.set(key, value);
    value.catch(() => {
      if (known.get(key) === value) known.delete(key);
    });
    return value;
  }

  /** Waits for a change of the area; if it fails, removes the affected values from the cache. */
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
