/** Describes one of the browser's `storage` areas, as far as it is used: JSON values under string keys. */
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

/** Tells of changes as well. */
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
