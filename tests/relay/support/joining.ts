import { createHash, randomBytes } from 'node:crypto';

import type { PageBrowser, Seen } from '#tests/relay/support/page-browser';

/** Holds what Counterfoil makes before it opens the join page. */
export interface JoinAttempt {
  readonly state: string;
  readonly verifier: string;
  /** The address of the join page. */
  readonly page: string;
}

export function joinAttempt(origin: string): JoinAttempt {
  const state = randomBytes(32).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return { state, verifier, page: `${origin}/relay/v1/join?${query.toString()}` };
}

/** Joins by an invite, up to the page that ends it. */
export async function joinByInvite(
  browser: PageBrowser,
  { page }: JoinAttempt,
  invite: string,
): Promise<Seen> {
  const begun = await browser.open(page);
  const confirmation = await browser.submit(begun, { invite });
  return browser.submit(confirmation, { decision: 'join' });
}

/** Returns what Counterfoil reads from the address of the tab. */
export function resultOf({ url }: Seen): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
}

/** Asks for a token as Counterfoil does. */
export function askForToken(origin: string, code: string, verifier: string): Promise<Response> {
  return fetch(`${origin}/relay/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, code_verifier: verifier }),
  });
}
