import type { Descriptor } from '#core/marketplaces/descriptor';
import { envato } from '#core/marketplaces/envato/descriptor';
import { gumroad } from '#core/marketplaces/gumroad/descriptor';
import { lemonSqueezy } from '#core/marketplaces/lemon-squeezy/descriptor';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';

const descriptors: Readonly<Record<MarketplaceId, Descriptor>> = {
  envato,
  gumroad,
  'lemon-squeezy': lemonSqueezy,
};

/** Returns what must be known of a marketplace before it is asked. */
export function placeOf(marketplace: MarketplaceId): Descriptor {
  return descriptors[marketplace];
}
