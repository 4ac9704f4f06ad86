import { createHash, randomBytes } from 'node:crypto';

import { type PageBrowser, pageBrowser, type Seen } from '#tests/relay/support/page-browser';

/** Holds what Counterfoil makes before it opens the join page. */
export interface JoinAttempt {
  readonly state: string;
  readonly verifier: string;
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

/** Joins by an invite as Counterfoil does; returns the token. @throws unless there is one */
export async function joinForToken(
  origin: string,
  invite: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const attempt = joinAttempt(origin);
  const end = await joinByInvite(pageBrowser(), attempt, invite);
  const { code = '' } = resultOf(end);
  const reply = await askForToken(origin, code, attempt.verifier, headers);
  const body = await reply.text();
  if (!reply.ok) {
    throw new Error(`No token: ${String(end.status)} ${end.html} ${String(reply.status)} ${body}`);
  }
  return (JSON.parse(body) as { readonly token: string }).token;
}

/** Returns what Counterfoil reads from the address of the tab. */
export function resultOf({ url }: Seen): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
}

/** Asks for a token as Counterfoil does. */
export function askForToken(
  origin: string,
  code: string,
  verifier: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${origin}/relay/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code, code_verifier: verifier }),
  });
}
