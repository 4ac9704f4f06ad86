import { readRing } from '#core/key-ring/ring';
import type { PinnedKey } from '#core/license/keys/pinned-key';

/** A file of public keys for colleagues. It holds nothing of the documents that were seen. */
export interface KeyFile {
  readonly format: 'counterfoil-keys';
  readonly version: 1;
  readonly keys: readonly Omit<PinnedKey, 'remembered'>[];
}

/** Returns the file of a ring. */
export function exportRing(ring: readonly PinnedKey[]): KeyFile {
  return {
    format: 'counterfoil-keys',
    version: 1,
    keys: ring.map(withoutMemory),
  };
}

/**
 * Reads the keys of such a file, 1,000 at most; undefined when it is none. Each key is still to be judged, and confirmed by its
 * fingerprint.
 */
export function readKeyFile(data: unknown): PinnedKey[] | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { format, version, keys } = data as Record<string, unknown>;
  if (format !== 'counterfoil-keys' || version !== 1 || !Array.isArray(keys)) return undefined;
  return readRing(keys.slice(0, 1000)).map(withoutMemory);
}

function withoutMemory(key: PinnedKey): Omit<PinnedKey, 'remembered'> {
  const copy: { -readonly [Field in keyof PinnedKey]: PinnedKey[Field] } = { ...key };
  delete copy.remembered;
  return copy;
}
