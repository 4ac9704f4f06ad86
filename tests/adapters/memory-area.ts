import type { StorageArea } from '#adapters/storage/storage-area';

export interface MemoryArea extends StorageArea {
  /** Everything in it, as JSON. */
  readonly dump: () => string;
  readonly clear: () => void;
  /** From now on there is room for this many characters. */
  readonly limitTo: (characters: number) => void;
}

/** Makes a browser's storage area: values go through JSON, and there is only so much room. */
export function createMemoryArea(): MemoryArea {
  let entries = new Map<string, string>();
  let room = Number.POSITIVE_INFINITY;
  const dump = (): string => JSON.stringify([...entries]);
  return {
    get: (keys) =>
      Promise.resolve(
        Object.fromEntries(
          [...entries]
            .filter(([key]) => keys === null || [keys].flat().includes(key))
            .map(([key, value]) => [key, JSON.parse(value) as unknown]),
        ),
      ),
    set: (items) => {
      const next = new Map(entries);
      for (const [key, value] of Object.entries(items)) next.set(key, JSON.stringify(value));
      if (JSON.stringify([...next]).length > room)
        return Promise.reject(new Error('There is no room.'));
      entries = next;
      return Promise.resolve();
    },
    remove: (keys) => {
      for (const key of [keys].flat()) entries.delete(key);
      return Promise.resolve();
    },
    dump,
    clear: () => {
      entries.clear();
    },
    limitTo: (characters) => {
      room = characters;
    },
  };
}
