import type { Descriptor } from '#core/marketplaces/descriptor';
import * as descriptors from '#core/marketplaces/all-descriptors';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';

/** Tells whether nothing can be asked of a connection without a key. */
export function needsKey({ marketplace }: { readonly marketplace?: MarketplaceId }): boolean {
  return marketplace === undefined || descriptors[marketplace].keyless !== true;
}

/** Returns what must be known of a marketplace before it is asked. */
export function placeOf(marketplace: MarketplaceId): Descriptor {
  return descriptors[marketplace];
}
