import { sha256 } from '@noble/hashes/sha2.js';

import { hexOf } from '#core/license/encoding/bytes';

/** SHA-256 of the raw 32-byte key, as 64 lower-case hexadecimal digits. */
export function fingerprintOf(rawKey: Uint8Array): string {
  return hexOf(sha256(rawKey));
}

/** A fingerprint in sixteen groups of four, to be compared by eye. */
export function groupedFingerprint(fingerprint: string): string {
  return (fingerprint.match(/.{1,4}/g) ?? []).join(' ');
}

/**
 * The first 80 bits in five groups of four, to be read out over the phone. Enough to notice a wrong key, and too much to be
 * matched by trial; the whole fingerprint is still what a key is confirmed by in writing.
 */
export function spokenFingerprint(fingerprint: string): string {
  return groupedFingerprint(fingerprint.slice(0, 20)).toUpperCase();
}
