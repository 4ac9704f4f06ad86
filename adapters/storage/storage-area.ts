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
