import type { SessionArea } from '#adapters/storage/storage-area';

/** Hands text from one page of the extension to another; never by an address, which would stay in the history. */
export interface PageHandoff {
  leave(kind: HandoffKind, text: string, now: number): Promise<void>;
  /** Returns what was left in the last ten minutes, and leaves it where it is. */
  peek(kind: HandoffKind, now: number): Promise<string | undefined>;
  drop(kind: HandoffKind): Promise<void>;
}

/** `license`: for the verifier. */
export type HandoffKind = 'license';

const lifetime = 10 * 60 * 1000;

export function createPageHandoff(area: SessionArea): PageHandoff {
  const nameOf = (kind: HandoffKind): string => `handoff.${kind}`;
  return {
    leave: (kind, text, now) => area.set({ [nameOf(kind)]: { text, at: now } }),
    async peek(kind, now) {
      const left = (await area.get(nameOf(kind)))[nameOf(kind)];
      if (typeof left !== 'object' || left === null) return undefined;
      const { text, at } = left as { text?: unknown; at?: unknown };
      const fresh = typeof at === 'number' && now - at < lifetime;
      if (typeof text === 'string' && fresh) return text;
      await area.remove(nameOf(kind));
      return undefined;
    },
    drop: (kind) => area.remove(nameOf(kind)),
  };
}
