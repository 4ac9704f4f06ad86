import type { Result } from '#core/result';
import type { JoinBrowser } from '#relay/join/join-browser';

/** Names why a sign-in at the provider gave no agent. */
export type SignInFault =
  /** The provider does not answer, or what it says about itself cannot be used. */
  | { readonly kind: 'provider-unreachable' }
  /** The provider said no: the person cancelled, or may not use this client. */
  | { readonly kind: 'refused' }
  /** The reply is not the one to this browser's request. */
  | { readonly kind: 'not-believed' }
  | { readonly kind: 'no-email' }
  /** The provider did not tell tenant and object. */
  | { readonly kind: 'no-subject' }
  /** The provider does not vouch for the address. */
  | { readonly kind: 'email-unverified'; readonly email: string };

/** Names whom a provider vouches for. */
export type Identity =
  /** In lower case, and verified. */
  | { readonly email: string }
  /** `TENANT/OBJECT`. */
  | { readonly subject: string };

/** Holds somebody who has signed in. */
export interface SignedIn {
  readonly identity: Identity;
  /** The role of their groups; undefined where roles do not follow groups. */
  readonly role: string | undefined;
}

/** Signs people in at an OpenID provider. */
export interface SignIn {
  /** The provider's host, as people are shown it. */
  readonly provider: string;
  /** The roles that groups have. */
  readonly roles?: readonly string[];
  /** Returns the address at the provider to send the browser to. @param redirect where it comes back to */
  begin(redirect: string, browser: JoinBrowser): Promise<Result<string, SignInFault>>;
  /** Returns who has signed in. @param callback the address that the browser came back to */
  finish(callback: URL, browser: JoinBrowser): Promise<Result<SignedIn, SignInFault>>;
}
