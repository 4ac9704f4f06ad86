import type { StorageArea } from '#adapters/storage/storage-area';

/**
 * Remembers chosen values of a storage area, so that each is read once. Every reader and writer of these values must use
 * the returned area: a change made elsewhere is not seen.
 *
 * A value counts from the call of `set` on, before it is stored; when storing it fails, the next `get` reads the area again.
 * @param isRemembered tells by its key whether a value is remembered
 */
export function rememberValues(
  area: StorageArea,
  isRemembered: (key: string) => boolean,
): StorageArea {
  /** The values by key; `undefined` where there is none. */
  const known = new Map<string, unknown>();
  let changes = 0;

  /** Starts a change of the area, and forgets what it was about when it fails. */
  async function change(keys: readonly string[], work: Promise<void>): Promise<void> {
    changes += 1;
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
      if (!known.has(keys)) {
        const before = changes;
        const found = await area.get(keys);
        if (before !== changes) return found;
        known.set(keys, found[keys]);
      }
      const value = known.get(keys);
      return value === undefined ? {} : { [keys]: value };
    },

    set(items) {
      for (const [key, value] of Object.entries(items))
        if (isRemembered(key)) known.set(key, value);
      return change(Object.keys(items), area.set(items));
    },

    remove(keys) {
      const gone = [keys].flat();
      for (const key of gone) if (isRemembered(key)) known.set(key, undefined);
      return change(gone, area.remove(keys));
    },
  };
}
