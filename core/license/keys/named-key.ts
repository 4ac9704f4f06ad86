import type { PinnedKey } from '#core/license/keys/pinned-key';

/** 64 bits of a fingerprint: what is shorter could be met by chance. */
const minFingerprintDigits = 16;

/**
 * Tells whether a document's key id (`kid`) names this key: by the authority's id for it, or by the beginning of its
 * fingerprint, which many authorities use as the id.
 */
export function isNamedBy({ keyId, fingerprint }: PinnedKey, named: string): boolean {
  if (keyId === named) return true;
  return named.length >= minFingerprintDigits && fingerprint.startsWith(named.toLowerCase());
}
