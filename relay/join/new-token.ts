import { randomBytes } from 'node:crypto';

import { parseToken, tokenIdleMs, writeToken } from '#relay/rules/token';
import type { TokenRecord } from '#relay/store/records';

/** Makes a token for somebody who has just signed in. @param now epoch milliseconds */
export function newToken(now: number): {
  readonly text: string;
  readonly record: Omit<TokenRecord, 'agent'>;
} {
  const text = writeToken(randomBytes(8), randomBytes(32));
  const parts = parseToken(text);
  if (parts === undefined) throw new Error('A new token must have the right form.');
  return {
    text,
    record: { ...parts, signedInAt: now, expiresAt: now + tokenIdleMs, revokedAt: 0 },
  };
}
