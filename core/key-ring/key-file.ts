import { dropUndefined, readRing } from '#core/key-ring/ring';
import type { PinnedKey } from '#core/license/keys/pinned-key';

/** Describes a file of public keys to share. It holds nothing about documents. */
export interface KeyFile {
  readonly format: 'counterfoil-keys';
  readonly version: 1;
  readonly keys: readonly Omit<PinnedKey, 'remembered' | 'byPolicy'>[];
}

/** Builds the file of a key ring. */
export function exportRing(ring: readonly PinnedKey[]): KeyFile {
  return {
    format: 'counterfoil-keys',
    version: 1,
    keys: ring.map(withoutMemory),
  };
}

/**
 * Reads at most 1,000 keys of a key file. The caller must validate each key and have its fingerprint confirmed. A key without
 * `revoked` is not revoked.
 * @returns undefined when the data is not a key file
 */
export function readKeyFile(data: unknown): PinnedKey[] | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { format, version, keys } = data as Record<string, unknown>;
  if (format !== 'counterfoil-keys' || version !== 1 || !Array.isArray(keys)) return undefined;
  const records = keys.slice(0, 1000).map((record: unknown) => ({
    revoked: false,
    ...(record as object),
  }));
  return readRing(records).map(withoutMemory);
}

/** Leaves out what holds in this browser alone. */
function withoutMemory(key: PinnedKey): KeyFile['keys'][number] {
  return dropUndefined({ ...key, remembered: undefined, byPolicy: undefined });
}
