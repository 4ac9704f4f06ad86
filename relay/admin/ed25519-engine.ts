import { createPublicKey, verify } from 'node:crypto';

import { bytesOfHex } from '#core/license/encoding/bytes';
import { judgeRawKey } from '#core/license/keys/curve-point';
import type { Ed25519Engine } from '#core/license/signature/ed25519';

/** Verifies with Node's own Ed25519, which is the one behind its WebCrypto. */
export const nodeEngine: Ed25519Engine = {
  name: 'webcrypto',
  fitKey: (raw) => {
    const bytes = bytesOfHex(raw);
    return bytes !== undefined && judgeRawKey(bytes) === undefined ? bytes : undefined;
  },
  holds: (publicKey, message, signature) => {
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return Promise.resolve(verify(null, message, key, signature));
  },
};
