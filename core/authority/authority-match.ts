import type { LicenseAuthority } from '#core/authority/authority';
import type { PinnedKey } from '#core/license/keys/pinned-key';

/** The outcome of `matchAuthority`: `fits`, or why the authority may not be asked. */
export type AuthorityMatch =
  | 'fits'
  /** A live license goes to no test authority, nor the other way round. */
  | 'other-kind'
  /** The key that signed the license speaks for another authority. */
  | 'other-authority'
  | 'other-product';

/**
 * Judges whether an authority may be asked about a license.
 * @param key the pinned key that vouches for the license
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

/** Returns the origin that a pinned key is tied to an authority by. */
export function authorityOriginOf(address: string): string {
  return new URL(address).origin;
}
