import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Stored } from '#relay/store/index';
import { hashOf } from '#relay/rules/index';

/** The parts of an invite or a code of the right form, which the relay may not know. */
type HashedParts = Pick<Stored<'joinCode'>, 'id' | 'hash'>;

/** Creates an invite: `cfi1_<id>_<secret>`, in hexadecimal. */
export function newInvite(): HashedParts & { readonly text: string } {
  const id = randomBytes(8).toString('hex');
  const text = `cfi1_${id}_${randomBytes(32).toString('hex')}`;
  return { text, id, hash: hashOf(text) };
}

/** Parses an invite or its link; undefined unless it has the right form. */
export function parseInvite(text: string): HashedParts | undefined {
  const [invite, id] = /(?<![0-9a-z_])cfi1_([0-9a-f]{16})_[0-9a-f]{64}$/.exec(text.trim()) ?? [];
  return invite === undefined || id === undefined ? undefined : { id, hash: hashOf(invite) };
}

/** Returns the link to an invite, which is in the fragment, so that no server and no log sees it. */
export function inviteLink(origin: string, invite: string): string {
  return `${origin}/relay/v1/join#invite=${invite}`;
}

/** Creates a one-time code: 16 hexadecimal digits for its id, and 64 for its secret. */
export function newCode(expiresAt: number): {
  readonly text: string;
  readonly record: Stored<'joinCode'>;
} {
  const id = randomBytes(8).toString('hex');
  const text = id + randomBytes(32).toString('hex');
  return { text, record: { id, hash: hashOf(text), expiresAt } };
}

export function parseCode(text: string): HashedParts | undefined {
  return /^[0-9a-f]{80}$/.test(text) ? { id: text.slice(0, 16), hash: hashOf(text) } : undefined;
}

/** Returns the PKCE challenge of a verifier (RFC 7636, S256); undefined unless it has the right form. */
export function challengeOf(verifier: string): string | undefined {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return undefined;
  return createHash('sha256').update(verifier).digest('base64url');
}

/** The credentials of one browser in one join. All are derived from the cookie; the store has only its hash. */
export interface JoinBrowser {
  readonly id: string;
  /** SHA-256 of the cookie. */
  readonly hash: Uint8Array;
  /** Included in every form, and must be sent back with it. */
  readonly csrfToken: string;
  /** For the sign-in at an OpenID provider: 43 characters each, base64url. */
  readonly openId: { readonly state: string; readonly nonce: string; readonly verifier: string };
}

export function newJoinCookie(): string {
  return `${randomBytes(16).toString('hex')}_${randomBytes(32).toString('hex')}`;
}

/** Parses a cookie; undefined unless it has the right form. The relay may not know it. */
export function parseJoinCookie(cookie: string | undefined): JoinBrowser | undefined {
  const [, id, secret] = /^([0-9a-f]{32})_([0-9a-f]{64})$/.exec(cookie ?? '') ?? [];
  if (cookie === undefined || id === undefined || secret === undefined) return undefined;
  const derive = (purpose: string): string =>
    createHmac('sha256', Buffer.from(secret, 'hex')).update(purpose).digest('base64url');
  return {
    id,
    hash: hashOf(cookie),
    csrfToken: derive('csrf'),
    openId: {
      state: derive('openid-state'),
      nonce: derive('openid-nonce'),
      verifier: derive('openid-verifier'),
    },
  };
}
