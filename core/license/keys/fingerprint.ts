import { sha256 } from '@noble/hashes/sha2.js';

import { hexOf } from '#core/license/encoding/bytes';

/** Returns the SHA-256 of a raw 32-byte key, as 64 lower-case hexadecimal digits. */
export function fingerprintOf(rawKey: Uint8Array): string {
  return hexOf(sha256(rawKey));
}

/** Writes a fingerprint in sixteen groups of four, to be compared by eye. */
export function groupedFingerprint(fingerprint: string): string {
  return (fingerprint.match(/.{1,4}/g) ?? []).join(' ');
}
