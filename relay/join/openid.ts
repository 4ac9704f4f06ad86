import * as client from 'openid-client';

import { isLoopback } from '#core/connections/origin';
import { fail, type Result, succeed } from '#core/result';
import type { JoinBrowser } from '#relay/join/join-browser';
import type { SignIn, SignInFault } from '#relay/join/sign-in';
import { foldEmail } from '#relay/rules/email';
import { hashOf, sameHash } from '#relay/rules/token';

/** Describes the OpenID provider and the relay's registration there. */
export interface OpenIdSettings {
  /** The issuer's address, as its discovery document states it. */
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
}

const timeoutSeconds = 10;
const scope = 'openid email';

/**
 * Creates the sign-in by OpenID Connect: code flow with PKCE and nonce, and a verified e-mail address. The provider is asked for
 * its addresses at the first sign-in, and again after a failure, so that the relay starts without it.
 * @param onError is given what the library threw, for the log
 */
export function createOpenIdSignIn(
  { issuer, clientId, clientSecret }: OpenIdSettings,
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

  async function begin(redirect: string, { openId }: JoinBrowser): Promise<string> {
    const address = client.buildAuthorizationUrl(await configuration(), {
      redirect_uri: redirect,
      scope,
      state: openId.state,
      nonce: openId.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(openId.verifier),
      code_challenge_method: 'S256',
    });
    return address.href;
  }

  async function emailOf(callback: URL, { openId }: JoinBrowser): Promise<Email | undefined> {
    const config = await configuration();
    const tokens = await client.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: openId.verifier,
      expectedState: openId.state,
      expectedNonce: openId.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    // Many providers put the address into the user info alone.
    return claims === undefined
      ? undefined
      : (readEmail(claims) ??
          readEmail(await client.fetchUserInfo(config, tokens.access_token, claims.sub)));
  }

  return {
    provider: issuer.host,
    begin: async (redirect, browser) => {
      try {
        return succeed(await begin(redirect, browser));
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
        return judgeEmail(await emailOf(callback, browser));
      } catch (error) {
        onError(error);
        return fail({ kind: kindOf(error) });
      }
    },
  };
}

interface Email {
  readonly email: string;
  readonly verified: boolean;
}

/** Reads the address from claims that the provider vouches for. */
function readEmail(claims: Readonly<Record<string, unknown>>): Email | undefined {
  const { email, email_verified: verified } = claims;
  if (typeof email !== 'string' || email === '') return undefined;
  return { email: foldEmail(email), verified: verified === true };
}

function judgeEmail(found: Email | undefined): Result<string, SignInFault> {
  if (found === undefined) return fail({ kind: 'no-email' });
  return found.verified
    ? succeed(found.email)
    : fail({ kind: 'email-unverified', email: found.email });
}

function kindOf(error: unknown): 'refused' | 'provider-unreachable' | 'not-believed' {
  if (error instanceof client.AuthorizationResponseError) return 'refused';
  const unreachable =
    // `fetch` gives the network's error as the cause; a mistake in a program has none.
    (error instanceof TypeError && error.cause instanceof Error) ||
    (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT') ||
    (error instanceof DOMException && error.name === 'TimeoutError');
  return unreachable ? 'provider-unreachable' : 'not-believed';
}

/** Sends the client's secret as the provider takes it; `client_secret_basic` is the standard's default. */
function authenticateWith(secret: string): client.ClientAuth {
  const basic = client.ClientSecretBasic(secret);
  const post = client.ClientSecretPost(secret);
  return (provider, ...rest) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    authenticate(provider, ...rest);
  };
}
