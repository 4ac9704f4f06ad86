import * as v from 'valibot';

import { parseAuthorityAddress } from '#core/authority/address';

/** Describes a configured license authority. JSON-safe; it holds no secret. */
export interface LicenseAuthority {
  readonly id: string;
  readonly name: string;
  /** The spec's {authority_url}, normalised by `parseAuthorityAddress`. */
  readonly address: string;
  /** Requests to it are about licenses of this kind only. A rehearsal needs a test authority. */
  readonly kind: 'live' | 'test';
  /** The products that requests may be about; empty for all. */
  readonly products: readonly string[];
}

/** Describes an authority as it is stored. A deleted one stays until it can no longer be restored. */
export interface StoredAuthority extends LicenseAuthority {
  /** For rehearsals with a test authority. It opens nothing else, and is handed to no page. */
  readonly controlToken?: string;
  /** Until when its deletion can be undone, epoch milliseconds. */
  readonly deletedUntil?: number;
}

/** Limits the texts of an authority, in UTF-16 units, and the lengths of lists. */
export const authorityBounds = {
  id: 64,
  name: 80,
  address: 2048,
  product: 100,
  products: 100,
  controlToken: 512,
  authorities: 100,
} as const;

/** Validates an authority's id. */
export const authorityIdSchema: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.maxLength(authorityBounds.id),
  v.regex(/^[\w-]+$/u),
);

/** Validates the fields of an authority besides its id, in messages and storage. */
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
