import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The parts of a token of the right form, which the relay may not know. */
export interface TokenParts {
  /** 16 hexadecimal digits; the only part that may be logged. */
  readonly id: string;
  /** SHA-256 of the whole token, 32 bytes, as it is stored. */
  readonly hash: Uint8Array;
  /** The hash as text, which identifies the token in counts, since others may know its id. */
  readonly name: string;
}

/** How long a token is valid without being used, in milliseconds. */
const tokenIdleMs = 7 * 24 * 3_600_000;
/** How long a token is valid after the sign-in at most, in milliseconds. */
export const tokenMaxMs = 30 * 24 * 3_600_000;
/** A smaller extension, in milliseconds, is not worth a write. */
const worthExtendingMs = 3_600_000;

const form = /^cfr1_([0-9a-f]{16})_[0-9a-f]{64}_([0-9a-f]{8})$/;

/** Writes a token: `cfr1_<id>_<secret>_<checksum>`, all in hexadecimal. @param id 8 bytes @param secret 32 bytes */
export function writeToken(id: Uint8Array, secret: Uint8Array): string {
  if (id.length !== 8 || secret.length !== 32) throw new Error('A token has 8 and 32 bytes.');
  const body = `cfr1_${Buffer.from(id).toString('hex')}_${Buffer.from(secret).toString('hex')}`;
  return `${body}_${checksumOf(body)}`;
}

/** Creates a token for a person who has just signed in. @param now epoch milliseconds */
export function newToken(now: number): {
  readonly text: string;
  readonly record: Omit<TokenParts, 'name'> &
    Record<'signedInAt' | 'expiresAt' | 'revokedAt', number>;
} {
  const id = randomBytes(8);
  const text = writeToken(id, randomBytes(32));
  const parts = { id: id.toString('hex'), hash: hashOf(text) };
  return {
    text,
    record: { ...parts, signedInAt: now, expiresAt: now + tokenIdleMs, revokedAt: 0 },
  };
}

/** Parses a token; undefined unless its form and its checksum are right, so that a mistyped token is never looked up. */
export function parseToken(text: string): TokenParts | undefined {
  const match = form.exec(text);
  const [, id, checksum] = match ?? [];
  if (id === undefined || checksum !== checksumOf(text.slice(0, -9))) return undefined;
  const bytes = hashOf(text);
  return { id, hash: bytes, name: Buffer.from(bytes).toString('base64') };
}

/** Parses the token in an `Authorization` header, in any spelling; undefined if there is none of the right form. */
export function parseAuthorization(header: string): TokenParts | undefined {
  return parseToken(/^Bearer +(\S+)$/i.exec(header)?.[1] ?? '');
}

export function holdsToken(text: string): boolean {
  return /cfr1_[0-9a-f]{8}/i.test(text);
}

/** Compares two hashes in constant time. */
export function sameHash(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

export function hashOf(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer');
}

/**
 * Returns the new expiry of a token that is used now; undefined if it need not be written. All values are epoch milliseconds. A token is
 * valid for 7 days after its last use, and for at most 30 days after the sign-in.
 */
export function extendedExpiry(
  token: { readonly signedInAt: number; readonly expiresAt: number },
  now: number,
): number | undefined {
  const end = Math.min(now + tokenIdleMs, token.signedInAt + tokenMaxMs);
  return end - token.expiresAt >= worthExtendingMs ? end : undefined;
}

/** Detects typing errors; it is not a protection. */
function checksumOf(body: string): string {
  return hash('sha256', body).slice(0, 8);
}
