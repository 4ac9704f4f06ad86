import type { StorageArea, WatchedSessionArea } from '#adapters/storage/storage-area';

export interface MemoryArea extends StorageArea {
  readonly onChanged: WatchedSessionArea['onChanged'];
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
  const listeners: Parameters<WatchedSessionArea['onChanged']['addListener']>[0][] = [];
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
      for (const listener of listeners)
        listener(
          Object.fromEntries(Object.entries(items).map(([key, newValue]) => [key, { newValue }])),
        );
      return Promise.resolve();
    },
    remove: (keys) => {
      const gone = [keys].flat().filter((key) => entries.delete(key));
      if (gone.length > 0)
        for (const listener of listeners)
          listener(Object.fromEntries(gone.map((key) => [key, {}])));
      return Promise.resolve();
    },
    onChanged: { addListener: (listener) => void listeners.push(listener) },
    dump,
    clear: () => {
      entries.clear();
    },
    limitTo: (characters) => {
      room = characters;
    },
  };
}
