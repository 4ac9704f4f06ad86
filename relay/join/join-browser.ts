import { createHmac, randomBytes } from 'node:crypto';

import { hashOf } from '#relay/rules/index';

/** Holds what belongs to one browser in one join. All of it comes from the cookie; the store holds its hash alone. */
export interface JoinBrowser {
  /** The join's id. */
  readonly id: string;
  /** SHA-256 of the cookie. */
  readonly hash: Uint8Array;
  /** Stands in every form and must come back with it. */
  readonly csrfToken: string;
  /** For the sign-in at an OpenID provider: 43 characters each, base64url. */
  readonly openId: { readonly state: string; readonly nonce: string; readonly verifier: string };
}

/** Makes the value of a new cookie. */
export function newJoinCookie(): string {
  return `${randomBytes(16).toString('hex')}_${randomBytes(32).toString('hex')}`;
}

/** Parses a cookie; undefined unless it has the right form. Says nothing about whether the relay knows it. */
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
