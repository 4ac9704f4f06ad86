import { createHash, randomBytes } from 'node:crypto';

/** Holds a hash as it may be compared in the database, both values in hexadecimal. */
export interface BlindedHash {
  readonly nonce: string;
  /** SHA-256 of the nonce and the hash. */
  readonly digest: string;
}

/** Blinds a hash by a nonce of its own: whoever measures a comparison learns about the digest, which is another one each time. */
export function blindedHash(hash: Uint8Array): BlindedHash {
  const nonce = randomBytes(16);
  return {
    nonce: nonce.toString('hex'),
    digest: createHash('sha256').update(nonce).update(hash).digest('hex'),
  };
}
