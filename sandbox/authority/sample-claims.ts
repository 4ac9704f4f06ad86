import { randomUUID } from 'node:crypto';

import * as v from 'valibot';

import type { JsonObject } from '#core/license/encoding/strict-json';
import { ProductSlug } from '#sandbox/authority/requests';

export type SignableClaims = JsonObject & {
  readonly license_id: string;
  readonly product_slug: string;
};

/** Claims that belong to a certificate, or to the key that signed the original. */
const leftOut = new Set(['installation_id', 'next_validation_at', 'grace_until', 'kid', 'typ']);

/**
 * Turns a customer's claims into those of a sample: under its own id, so that a rehearsal touches no real license, and
 * marked with `sample` and `sample_of`.
 * @param at epoch milliseconds
 */
export function sampleClaims(claims: JsonObject, at: number): SignableClaims {
  const copied = Object.fromEntries(Object.entries(claims).filter(([name]) => !leftOut.has(name)));
  const { license_id: original, product_slug: slug } = claims;
  return {
    issued_at: new Date(at).toISOString(),
    ...copied,
    license_id: `sample-${randomUUID()}`,
    ...(original === undefined ? {} : { sample_of: original }),
    product_slug: v.is(ProductSlug, slug) ? slug : 'sample-product',
    sample: true,
  };
}
