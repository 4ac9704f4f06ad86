import { createHash, randomBytes } from 'node:crypto';

import { hashOf } from '#relay/rules/token';
import type { JoinCodeRecord } from '#relay/store/records';

/** Makes a one-time code: 16 hexadecimal digits of its id, and 64 of its secret. */
export function newCode(expiresAt: number): {
  readonly text: string;
  readonly record: JoinCodeRecord;
} {
  const id = randomBytes(8).toString('hex');
  const text = id + randomBytes(32).toString('hex');
  return { text, record: { id, hash: hashOf(text), expiresAt } };
}

/** Parses a code; undefined unless it has the right form. */
export function parseCode(text: string): Pick<JoinCodeRecord, 'id' | 'hash'> | undefined {
  return /^[0-9a-f]{80}$/.test(text) ? { id: text.slice(0, 16), hash: hashOf(text) } : undefined;
}

/** Returns the PKCE challenge of a verifier (RFC 7636, S256); undefined unless it has the right form. */
export function challengeOf(verifier: string): string | undefined {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return undefined;
  return createHash('sha256').update(verifier).digest('base64url');
}
