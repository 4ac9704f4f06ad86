import { sign } from 'node:crypto';

import type { JsonObject } from '#core/license/encoding/strict-json';
import type { AuthorityKey } from '#sandbox/authority/keys';

/** Signs these claims and nothing more, as `<payload>.<signature>` over the payload. */
export function signClaims(claims: JsonObject, { privateKey }: AuthorityKey): string {
  const payload = Buffer.from(JSON.stringify(claims));
  const signature = sign(null, payload, privateKey);
  return `${payload.toString('base64url')}.${signature.toString('base64url')}`;
}
