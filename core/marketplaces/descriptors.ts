import type { Descriptor } from '#core/marketplaces/descriptor';
import { easyDigitalDownloadsPlace } from '#core/marketplaces/easy-digital-downloads/descriptor';
import { envatoPlace } from '#core/marketplaces/envato/descriptor';
import { freemiusPlace } from '#core/marketplaces/freemius/descriptor';
import { gumroadPlace } from '#core/marketplaces/gumroad/descriptor';
import { lemonSqueezyPlace } from '#core/marketplaces/lemon-squeezy/descriptor';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { polarPlace } from '#core/marketplaces/polar/descriptor';

const descriptors: Readonly<Record<MarketplaceId, Descriptor>> = {
  'easy-digital-downloads': easyDigitalDownloadsPlace,
  envato: envatoPlace,
  freemius: freemiusPlace,
  gumroad: gumroadPlace,
  'lemon-squeezy': lemonSqueezyPlace,
  polar: polarPlace,
};

/** Tells whether nothing can be asked of a connection without a key. */
export function needsKey({ marketplace }: { readonly marketplace?: MarketplaceId }): boolean {
  return marketplace === undefined || descriptors[marketplace].keyIsOptional !== true;
}

/** Returns what must be known of a marketplace before it is asked. */
export function placeOf(marketplace: MarketplaceId): Descriptor {
  return descriptors[marketplace];
}
