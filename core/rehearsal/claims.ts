import type { Inspection } from '#core/license/inspect/inspection';
import type { JsonObject } from '#core/license/encoding/strict-json';

/** Holds what a rehearsal starts from. The test authority gives it an id of its own and marks it as a sample. */
export interface Script {
  readonly claims: JsonObject;
  readonly domain: string;
}

export const plainScript: Script = {
  claims: { product_slug: 'sample-product', license_type: 'Regular', buyer: 'Rehearsal' },
  domain: 'rehearsal.example',
};

/** Returns the customer's own claims and domain; `undefined` when the license has none that can be read as JSON. */
export function scriptFrom({ license, certificate, stated }: Inspection): Script | undefined {
  const says = license?.says;
  if (says?.claims === undefined || says.oddities.length > 0) return undefined;
  const domain = says.domain ?? stated.domain ?? certificate?.says?.domain ?? plainScript.domain;
  const slug = says.productSlug ?? stated.productSlug ?? certificate?.says?.productSlug;
  return {
    claims: { ...says.claims, ...(slug !== undefined && { product_slug: slug }) },
    domain,
  };
}
