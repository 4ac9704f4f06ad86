import { getPublicKey, hashes, sign } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

import { type Bytes, ownBytes } from '#core/encoding/index';

hashes.sha512 = sha512;

export interface Signer {
  readonly seed: Bytes;
  readonly publicKey: Bytes;
  sign(message: Uint8Array): Bytes;
}

/** Makes a key pair of its own for each number: repeatable, and of no use outside tests. */
export function makeSigner(number: number): Signer {
  const seed = sha512(new Uint8Array([number & 0xff, number >> 8])).subarray(0, 32);
  return {
    seed: ownBytes(seed.slice()),
    publicKey: ownBytes(getPublicKey(seed)),
    sign: (message) => ownBytes(sign(message, seed)),
  };
}
