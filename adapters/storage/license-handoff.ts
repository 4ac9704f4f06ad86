import type { SessionArea } from '#adapters/storage/storage-area';

/** Hands a license from a page of the extension to the verifier; never by an address, which would stay in the history. */
export interface LicenseHandoff {
  /** @param now epoch milliseconds */
  leave(text: string, now: number): Promise<void>;
  /** Returns what was left in the last ten minutes, and leaves it where it is. */
  peek(now: number): Promise<string | undefined>;
  drop(): Promise<void>;
}

const name = 'handoff.license';
const lifetimeMs = 10 * 60 * 1000;

/** Creates the handoff on the area that ends with the browser. */
export function createLicenseHandoff(area: SessionArea): LicenseHandoff {
  return {
    leave: (text, now) => area.set({ [name]: { text, at: now } }),
    async peek(now) {
      const left = (await area.get(name))[name];
      if (typeof left !== 'object' || left === null) return undefined;
      const { text, at } = left as { text?: unknown; at?: unknown };
      const isFresh = typeof at === 'number' && now - at < lifetimeMs;
      if (typeof text === 'string' && isFresh) return text;
      await area.remove(name);
      return undefined;
    },
    drop: () => area.remove(name),
  };
}
