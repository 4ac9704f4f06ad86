import type { Connection } from '#core/connections/connection';
import { envato } from '#core/marketplaces/envato/reader';
import { gumroad } from '#core/marketplaces/gumroad/reader';
import { lemonSqueezy } from '#core/marketplaces/lemon-squeezy/reader';
import type { Marketplace } from '#core/marketplaces/marketplace';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { sellerApi } from '#core/marketplaces/seller-api/reader';

const marketplaces: Readonly<Record<MarketplaceId, Marketplace>> = {
  envato,
  gumroad,
  'lemon-squeezy': lemonSqueezy,
};

/** Returns how the marketplace of a connection is asked. */
export function marketplaceOf({ marketplace }: Pick<Connection, 'marketplace'>): Marketplace {
  return marketplace === undefined ? sellerApi : marketplaces[marketplace];
}
