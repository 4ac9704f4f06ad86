import type { LicenseAuthority } from '#core/authority/authority';
import type { EncodedReply } from '#core/authority/encoded-reply';
import type { LicenseRequest, TransportFault } from '#core/installation/ports';
import type { SetByPolicy } from '#core/policy/policy';
import type { Result } from '#core/result';
import type { StorageFull } from '#core/storage-full';
import type { NoBody, Topic } from '#messaging/topic';

export interface AuthorityProtocol {
  'authorities.list': Topic<NoBody, AuthorityState[]>;
  /** Adds (no `id`) or changes. */
  'authorities.save': Topic<AuthorityDraft, Result<AuthorityState, AuthoritySaveFault>>;
  /** Stores a control token, which no message carries back. */
  'authorities.set-control': Topic<
    { id: string; token: string },
    Result<AuthorityState, AuthoritySaveFault>
  >;
  /** Can be undone until `undoUntil` (epoch ms). */
  'authorities.delete': Topic<
    { id: string },
    Result<{ undoUntil: number }, StorageFull | SetByPolicy>
  >;
  'authorities.restore': Topic<{ id: string }, Result<AuthorityState, AuthoritySaveFault>>;
  /** Validates at the authority in the installation's name. The reply comes back unread: the page judges it. */
  'authority.validate': Topic<AuthorityCall, Result<EncodedReply, AuthorityFault>>;
}

/** Describes an authority as pages see it. */
export interface AuthorityState extends LicenseAuthority {
  /** Whether the browser allows the worker to reach its origin. */
  readonly permitted: boolean;
  /** Whether a control token is stored for it. */
  readonly hasControl: boolean;
}

export interface AuthorityDraft extends Omit<LicenseAuthority, 'id'> {
  readonly id?: string;
  /** Leaving it out keeps the present one, as long as the origin stays and it is a test authority. */
  readonly controlToken?: string;
}

export type AuthoritySaveFault = { readonly kind: 'no-authority' } | StorageFull | SetByPolicy;

/** Tells why no request went to an authority, or no whole reply came back. */
export type AuthorityFault =
  | TransportFault
  | { readonly kind: 'no-authority' }
  /** The browser has not been allowed to reach this origin. */
  | { readonly kind: 'not-permitted'; readonly origin: string };

/** Describes the body of `authority.validate` and of the rehearsal's two calls. */
export interface AuthorityCall {
  readonly authorityId: string;
  readonly request: LicenseRequest;
}
