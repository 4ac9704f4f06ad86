import * as v from 'valibot';

import { parseAuthorityAddress } from '#core/authority/address';

/** A license authority as the team has set it up. JSON-safe; it holds no secret. */
export interface LicenseAuthority {
  readonly id: string;
  readonly name: string;
  /** The spec's {authority_url}, as `parseAuthorityAddress` normalised it. */
  readonly address: string;
  /** A live one is asked about live licenses alone, a test one about test licenses; only a test one may be rehearsed with. */
  readonly kind: 'live' | 'test';
  /** The only products it is asked about. Empty: all. */
  readonly products: readonly string[];
}

/** Longest texts, in UTF-16 units, and how many there may be. */
export const authorityBounds = {
  id: 64,
  name: 80,
  address: 2048,
  product: 100,
  products: 100,
  controlToken: 512,
  authorities: 100,
} as const;

export const authorityIdSchema: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.maxLength(authorityBounds.id),
  v.regex(/^[\w-]+$/u),
);

/** What every authority has besides its id, as it arrives in a message or lies in storage. */
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
  ),
};
