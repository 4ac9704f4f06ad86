import type { Result } from '#core/result';
import { type BaseAddress, type BaseAddressProblem, parseBaseAddress } from '#core/address/index';
import type { PinnedKey } from '#core/keys/index';

import * as v from 'valibot';

/** A configured license authority. JSON-safe; it holds no secret. */
export interface LicenseAuthority {
  readonly id: string;
  readonly name: string;
  /** The spec's {authority_url}, normalised by `parseAuthorityAddress`. */
  readonly address: string;
  /** Requests to it are about licenses of this kind only. */
  readonly kind: 'live' | 'test';
  /** The products that requests may be about; empty for all. */
  readonly products: readonly string[];
}

/** An authority as it is stored. A deleted one stays until it can no longer be restored. */
export interface StoredAuthority extends LicenseAuthority {
  /** The deletion can be undone before this moment, epoch milliseconds. */
  readonly deletedUntil?: number;
}

/** Limits the texts of an authority, in UTF-16 units, and the lengths of lists. */
export const authorityBounds = {
  id: 64,
  name: 80,
  address: 2048,
  product: 100,
  products: 100,
  authorities: 100,
} as const;

export const authorityIdSchema: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.maxLength(authorityBounds.id),
  v.regex(/^[\w-]+$/u),
);

/** Validates the fields of an authority, except its id, in messages and storage. */
export const authorityFields = {
  name: v.pipe(v.string(), v.regex(/\S/u), v.maxLength(authorityBounds.name)),
  address: v.pipe(
    v.string(),
    v.maxLength(authorityBounds.address),
    v.check((text) => {
      const parsed = parseAuthorityAddress(text);
      return parsed.ok && parsed.value.address === text;
    }),
  ),
  kind: v.picklist(['live', 'test']),
  products: v.pipe(
    v.array(v.pipe(v.string(), v.nonEmpty(), v.maxLength(authorityBounds.product))),
    v.maxLength(authorityBounds.products),
    v.readonly(),
  ),
};

/**
 * Parses a typed or pasted {authority_url} (spec section 2) by the rules of `parseBaseAddress`. Removes the path of a
 * licensing call from its end.
 */
export function parseAuthorityAddress(text: string): Result<BaseAddress, BaseAddressProblem> {
  return parseBaseAddress(
    text.trim().replace(/(?:\/api)?\/license(?:\/v1)?(?:\/[a-z]+)?\/*$/iu, ''),
  );
}

/** The outcome of `matchAuthority`: `fits`, or why no request may be sent. */
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
  // If nobody has said whether the key is live or test, the license may be real, so it must not go to a test authority.
  if ((kind === 'test') !== (key.kind === 'test')) return 'other-kind';
  if (key.authority !== undefined && key.authority !== authorityOriginOf(address))
    return 'other-authority';
  if (products.length > 0 && !products.includes(productSlug)) return 'other-product';
  return 'fits';
}

/** Returns the origin by which pinned keys identify an authority. Throws if the address is not a URL. */
export function authorityOriginOf(address: string): string {
  return new URL(address).origin;
}

/** An authority as pages see it. */
export interface AuthorityState extends LicenseAuthority {
  /** Whether the browser allows the worker to reach its origin. */
  readonly permitted: boolean;
}
