import type { Connection } from '#core/connections/connection';
import { envato } from '#core/marketplaces/envato';
import { gumroad } from '#core/marketplaces/gumroad';
import { lemonSqueezy } from '#core/marketplaces/lemon-squeezy';
import type { Marketplace } from '#core/marketplaces/marketplace';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { sellerApi } from '#core/marketplaces/seller-api';

const marketplaces: Readonly<Record<MarketplaceId, Marketplace>> = {
  envato,
  gumroad,
  'lemon-squeezy': lemonSqueezy,
};

/** Returns how the marketplace of a connection is asked. */
export function marketplaceOf({ marketplace }: Pick<Connection, 'marketplace'>): Marketplace {
  return marketplace === undefined ? sellerApi : marketplaces[marketplace];
}
