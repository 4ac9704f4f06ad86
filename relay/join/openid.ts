import * as client from 'openid-client';

import { isLoopback } from '#core/address/index';
import { fail, type Result, succeed } from '#core/result';
import type { JoinBrowser } from '#relay/join/credentials';
import { foldEmail } from '#relay/join/email';
import { hashOf, sameHash } from '#relay/rules/index';

export interface OpenIdSettings {
  /** The issuer's address, as its discovery document states it. */
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  /** Whether agents are identified by a verified e-mail address, or in Microsoft Entra by tenant and object. */
  readonly identifiedBy: 'email' | 'object-id';
  /** Present if roles follow the groups in a claim of the provider. */
  readonly groups?: GroupRoles | undefined;
}

export interface GroupRoles {
  readonly claim: string;
  /** The first role whose group an agent is in counts. */
  readonly roles: readonly { readonly role: string; readonly group: string }[];
}

/** Why a sign-in at the provider failed. */
export type SignInFault =
  /** The provider does not answer, or its discovery document cannot be used. */
  | { readonly kind: 'provider-unreachable' }
  /** The provider refused: the person cancelled, or may not use this client. */
  | { readonly kind: 'refused' }
  /** The reply does not belong to this browser's request. */
  | { readonly kind: 'not-believed' }
  | { readonly kind: 'no-email' }
  /** The provider did not send tenant and object. */
  | { readonly kind: 'no-subject' }
  /** The provider does not vouch for the address. */
  | { readonly kind: 'email-unverified'; readonly email: string };

interface SignedIn {
  /** The person that the provider vouches for: a verified address in lower case, or `TENANT/OBJECT`. */
  readonly identity: { readonly email: string } | { readonly subject: string };
  /** The role from their groups; undefined if roles do not follow groups. */
  readonly role: string | undefined;
}

export interface SignIn {
  readonly provider: string;
  readonly roles?: readonly string[];
  /** Returns the address at the provider to send the browser to. @param redirect where it comes back to */
  begin(redirect: string, browser: JoinBrowser): Promise<Result<string, SignInFault>>;
  /** Returns who has signed in. @param callback the address that the browser came back to */
  finish(callback: URL, browser: JoinBrowser): Promise<Result<SignedIn, SignInFault>>;
}

/** The role for agents in no group with a role. Every database has it, and it sees least. */
const leastRole = 'agent';
const timeoutSeconds = 10;

/**
 * Creates the sign-in by OpenID Connect: code flow with PKCE and nonce. The provider's addresses are read at the first sign-in, and again
 * after a failure, so that the relay can start without it.
 * @param onError receives the library's error, for the log
 */
export function createOpenIdSignIn(
  { issuer, clientId, clientSecret, scope, identifiedBy, groups }: OpenIdSettings,
  onError: (error: unknown) => void,
): SignIn {
  let known: Promise<client.Configuration> | undefined;

  function configuration(): Promise<client.Configuration> {
    known ??= client
      .discovery(issuer, clientId, undefined, authenticateWith(clientSecret), {
        timeout: timeoutSeconds,
        execute: [
          client.enableNonRepudiationChecks,
          // Deprecated so that it stands out: http to this machine alone, which `readSettings` lets pass.
          // eslint-disable-next-line @typescript-eslint/no-deprecated
          ...(isLoopback(issuer.hostname) ? [client.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    return known;
  }

  async function claimsOf(callback: URL, { openId }: JoinBrowser): Promise<Claims> {
    const config = await configuration();
    const tokens = await client.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: openId.verifier,
      expectedState: openId.state,
      expectedNonce: openId.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) return {};
    const isComplete =
      (identifiedBy === 'object-id' || claims['email'] !== undefined) &&
      (groups === undefined || claims[groups.claim] !== undefined);
    if (isComplete) return claims;
    // Many providers send the other claims only in the user info.
    return { ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
  }

  return {
    provider: issuer.host,
    roles: groups?.roles.map(({ role }) => role) ?? [],
    begin: async (redirect, { openId }) => {
      try {
        const address = client.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirect,
          scope,
          state: openId.state,
          nonce: openId.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(openId.verifier),
          code_challenge_method: 'S256',
        });
        return succeed(address.href);
      } catch (error) {
        onError(error);
        return fail({ kind: 'provider-unreachable' });
      }
    },
    finish: async (callback, browser) => {
      const state = callback.searchParams.get('state') ?? '';
      if (!sameHash(hashOf(state), hashOf(browser.openId.state))) {
        return fail({ kind: 'not-believed' });
      }
      try {
        const claims = await claimsOf(callback, browser);
        const identity = identifiedBy === 'email' ? readEmail(claims) : readSubject(claims);
        return identity.ok
          ? succeed({ identity: identity.value, role: groups && roleOf(claims, groups) })
          : identity;
      } catch (error) {
        onError(error);
        return fail({ kind: kindOf(error) });
      }
    },
  };
}

type Claims = Readonly<Record<string, unknown>>;
type Read = Result<SignedIn['identity'], SignInFault>;

function readEmail({ email, email_verified: verified }: Claims): Read {
  if (typeof email !== 'string' || email === '') return fail({ kind: 'no-email' });
  const folded = foldEmail(email);
  return verified === true
    ? succeed({ email: folded })
    : fail({ kind: 'email-unverified', email: folded });
}

/** Reads the ids that Microsoft Entra never reuses: the directory, and the person's object in it. */
function readSubject({ tid, oid }: Claims): Read {
  return isId(tid) && isId(oid)
    ? succeed({ subject: `${tid}/${oid}` })
    : fail({ kind: 'no-subject' });
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{1,64}$/.test(value);

/** Returns the role from a person's groups. Without a matching group or any groups, it is the one that sees least. */
function roleOf(claims: Claims, { claim, roles }: GroupRoles): string {
  const told = claims[claim];
  const groups: readonly unknown[] = Array.isArray(told) ? told : [told];
  return roles.find(({ group }) => groups.includes(group))?.role ?? leastRole;
}

function kindOf(error: unknown): 'refused' | 'provider-unreachable' | 'not-believed' {
  if (error instanceof client.AuthorizationResponseError) return 'refused';
  const unreachable =
    // `fetch` gives the network's error as the cause; a programming error has none.
    (error instanceof TypeError && error.cause instanceof Error) ||
    (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT') ||
    (error instanceof DOMException && error.name === 'TimeoutError');
  return unreachable ? 'provider-unreachable' : 'not-believed';
}

/** Sends the client's secret in the way that the provider accepts; `client_secret_basic` is the standard's default. */
function authenticateWith(secret: string): client.ClientAuth {
  const basic = client.ClientSecretBasic(secret);
  const post = client.ClientSecretPost(secret);
  return (provider, ...rest) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    authenticate(provider, ...rest);
  };
}
