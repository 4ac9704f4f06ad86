import { createHash, randomBytes } from 'node:crypto';
import type { Stored } from '#relay/store/index';
import { hashOf } from '#relay/rules/index';

/** Holds the parts of an invite that has the right form. Says nothing about whether the relay knows it. */
interface InviteParts {
  readonly id: string;
  /** SHA-256 of the whole invite, 32 bytes, as it is stored. */
  readonly hash: Uint8Array;
}

/**
 * Writes an invite: `cfi1_<id>_<secret>`, in hexadecimal.
 * @param id 8 random bytes
 * @param secret 32 random bytes
 */
export function writeInvite(id: Uint8Array, secret: Uint8Array): string {
  return `cfi1_${Buffer.from(id).toString('hex')}_${Buffer.from(secret).toString('hex')}`;
}

/** Parses an invite or its link; undefined unless it has the right form. */
export function parseInvite(text: string): InviteParts | undefined {
  const [invite, id] = /(?<![0-9a-z_])cfi1_([0-9a-f]{16})_[0-9a-f]{64}$/.exec(text.trim()) ?? [];
  return invite === undefined || id === undefined ? undefined : { id, hash: hashOf(invite) };
}

/** Returns the link to an invite, which stands in the fragment, so that no server and no log sees it. */
export function inviteLink(origin: string, invite: string): string {
  return `${origin}/relay/v1/join#invite=${invite}`;
}

/** Makes a one-time code: 16 hexadecimal digits of its id, and 64 of its secret. */
export function newCode(expiresAt: number): {
  readonly text: string;
  readonly record: Stored<'joinCode'>;
} {
  const id = randomBytes(8).toString('hex');
  const text = id + randomBytes(32).toString('hex');
  return { text, record: { id, hash: hashOf(text), expiresAt } };
}

/** Parses a code; undefined unless it has the right form. */
export function parseCode(text: string): Pick<Stored<'joinCode'>, 'id' | 'hash'> | undefined {
  return /^[0-9a-f]{80}$/.test(text) ? { id: text.slice(0, 16), hash: hashOf(text) } : undefined;
}

/** Returns the PKCE challenge of a verifier (RFC 7636, S256); undefined unless it has the right form. */
export function challengeOf(verifier: string): string | undefined {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return undefined;
  return createHash('sha256').update(verifier).digest('base64url');
}
