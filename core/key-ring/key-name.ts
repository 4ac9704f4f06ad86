import type { PinnedKey } from '#core/license/keys/pinned-key';

/** Returns what a key is called: its label, else its own id, else the beginning of its fingerprint. */
export function keyName({ label, keyId, fingerprint }: PinnedKey): string {
  if (label !== '') return label;
  return keyId ?? fingerprint.slice(0, 8).replace(/.{4}/, '$& ').toUpperCase();
}
