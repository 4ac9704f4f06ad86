import type { LicenseAuthority } from '#core/authority/authority';
import type { PinnedKey } from '#core/license/keys/pinned-key';

/** Names the outcome of `matchAuthority`: `fits`, or why no request may be sent. */
export type AuthorityMatch =
  | 'fits'
  /** One is live and the other is test. */
  | 'other-kind'
  /** The key that signed the license belongs to another authority. */
  | 'other-authority'
  | 'other-product';

/**
 * Judges whether a license may be sent to an authority.
 * @param key the pinned key that verified the license
 */
export function matchAuthority(
  { kind, address, products }: LicenseAuthority,
  key: Pick<PinnedKey, 'kind' | 'authority'>,
  productSlug: string,
): AuthorityMatch {
  if (kind !== key.kind) return 'other-kind';
  if (key.authority !== undefined && key.authority !== authorityOriginOf(address))
    return 'other-authority';
  if (products.length > 0 && !products.includes(productSlug)) return 'other-product';
  return 'fits';
}

/** Returns the origin that pinned keys name an authority by. Throws for an address that is no URL. */
export function authorityOriginOf(address: string): string {
  return new URL(address).origin;
}
