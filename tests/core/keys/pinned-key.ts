import type { PinnedKey } from '#core/keys/index';

/** Makes a live pinned key, all of whose bytes are of one hexadecimal digit. */
export function pinnedKeyOf(digit: string, changes: Partial<PinnedKey> = {}): PinnedKey {
  const raw = digit.repeat(64);
  return { id: raw, label: digit, raw, fingerprint: raw, revoked: false, kind: 'live', ...changes };
}
