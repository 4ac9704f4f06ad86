import type { Descriptor } from '#core/marketplaces/descriptor';
import { easyDigitalDownloadsDescriptor } from '#core/marketplaces/easy-digital-downloads/descriptor';
import { envatoDescriptor } from '#core/marketplaces/envato/descriptor';
import { freemiusDescriptor } from '#core/marketplaces/freemius/descriptor';
import { gumroadDescriptor } from '#core/marketplaces/gumroad/descriptor';
import { lemonSqueezyDescriptor } from '#core/marketplaces/lemon-squeezy/descriptor';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { polarDescriptor } from '#core/marketplaces/polar/descriptor';

const descriptors: Readonly<Record<MarketplaceId, Descriptor>> = {
  'easy-digital-downloads': easyDigitalDownloadsDescriptor,
  envato: envatoDescriptor,
  freemius: freemiusDescriptor,
  gumroad: gumroadDescriptor,
  'lemon-squeezy': lemonSqueezyDescriptor,
  polar: polarDescriptor,
};

/** Tells whether nothing can be asked of a connection without a key. */
export function needsKey({ marketplace }: { readonly marketplace?: MarketplaceId }): boolean {
  return marketplace === undefined || descriptors[marketplace].keyIsOptional !== true;
}

/** Returns what must be known of a marketplace before it is asked. */
export function placeOf(marketplace: MarketplaceId): Descriptor {
  return descriptors[marketplace];
}
