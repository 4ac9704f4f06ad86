import type { Descriptor } from '#core/marketplaces/descriptor';
import * as descriptors from '#core/marketplaces/all-descriptors';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';

/** Tells whether a connection can do nothing without a key. */
export function needsKey({ marketplace }: { readonly marketplace?: MarketplaceId }): boolean {
  return marketplace === undefined || descriptors[marketplace].keyless !== true;
}

export function placeOf(marketplace: MarketplaceId): Descriptor {
  return descriptors[marketplace];
}
