import type { AccountPlace } from '#core/connections/account-place';
import { envato, relayedEnvato } from '#core/marketplaces/envato/reader';
import { gumroad, relayedGumroad } from '#core/marketplaces/gumroad/reader';
import { lemonSqueezy, relayedLemonSqueezy } from '#core/marketplaces/lemon-squeezy/reader';
import type { Marketplace, Relayed } from '#core/marketplaces/marketplace';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { relayedSellerApi, sellerApi } from '#core/marketplaces/seller-api/reader';

const readers: Readonly<Record<MarketplaceId, Marketplace>> = {
  envato,
  gumroad,
  'lemon-squeezy': lemonSqueezy,
};

/** How a relay takes their requests, which it alone loads. */
const relayed: Readonly<Record<MarketplaceId, Relayed>> = {
  envato: relayedEnvato,
  gumroad: relayedGumroad,
  'lemon-squeezy': relayedLemonSqueezy,
};

/** Returns how the marketplace of a connection is asked. */
export function marketplaceOf({ marketplace }: Pick<AccountPlace, 'marketplace'>): Marketplace {
  return marketplace === undefined ? sellerApi : readers[marketplace];
}

/** Returns how a relay takes the requests of a connection's marketplace. */
export function relayedOf({ marketplace }: Pick<AccountPlace, 'marketplace'>): Relayed {
  return marketplace === undefined ? relayedSellerApi : relayed[marketplace];
}
