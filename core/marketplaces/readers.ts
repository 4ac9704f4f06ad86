import type { AccountLocation } from '#core/connections/index';
import {
  easyDigitalDownloadsCodes,
  easyDigitalDownloadsItems,
  easyDigitalDownloadsRelayRules,
} from '#core/marketplaces/easy-digital-downloads/reader';
import { envatoItems, envatoRelayRules } from '#core/marketplaces/envato/reader';
import { type LaterReaders, readersFrom } from '#core/marketplaces/first-readers';
import {
  freemiusCodes,
  freemiusItems,
  freemiusRelayRules,
} from '#core/marketplaces/freemius/reader';
import { gumroadCodes, gumroadItems, gumroadRelayRules } from '#core/marketplaces/gumroad/reader';
import {
  lemonSqueezyCodes,
  lemonSqueezyItems,
  lemonSqueezyRelayRules,
} from '#core/marketplaces/lemon-squeezy/reader';
import {
  type CodeReader,
  type ItemReader,
  type RelayRules,
  wholeOf,
} from '#core/marketplaces/marketplace';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { polarCodes, polarItems, polarRelayRules } from '#core/marketplaces/polar/reader';
import { sellerApiRelayRules, sellerApiItems } from '#core/marketplaces/seller-api/reader';

const codeReaders: LaterReaders['codes'] = {
  'easy-digital-downloads': easyDigitalDownloadsCodes,
  freemius: freemiusCodes,
  gumroad: gumroadCodes,
  'lemon-squeezy': lemonSqueezyCodes,
  polar: polarCodes,
};

const itemReaders: Readonly<Record<MarketplaceId, ItemReader>> = {
  'easy-digital-downloads': easyDigitalDownloadsItems,
  envato: envatoItems,
  freemius: freemiusItems,
  gumroad: gumroadItems,
  'lemon-squeezy': lemonSqueezyItems,
  polar: polarItems,
};

/** How a relay takes each marketplace's requests; only a relay loads this. */
const relayRules: Readonly<Record<MarketplaceId, RelayRules>> = {
  'easy-digital-downloads': easyDigitalDownloadsRelayRules,
  envato: envatoRelayRules,
  freemius: freemiusRelayRules,
  gumroad: gumroadRelayRules,
  'lemon-squeezy': lemonSqueezyRelayRules,
  polar: polarRelayRules,
};

type OfMarketplace = Pick<AccountLocation, 'marketplace'>;

export const laterReaders: LaterReaders = {
  codes: codeReaders,
  itemReaderOf: ({ marketplace }) =>
    marketplace === undefined ? sellerApiItems : itemReaders[marketplace],
};

/** Returns how the marketplace of a connection is asked all four questions. */
export function marketplaceOf(location: OfMarketplace): CodeReader & ItemReader {
  const { codeReaderOf, itemReaderOf } = readersFrom(() => laterReaders);
  return wholeOf(codeReaderOf(location), itemReaderOf(location));
}

/** Returns how a relay takes the requests of a connection's marketplace. */
export function relayRulesOf({ marketplace }: OfMarketplace): RelayRules {
  return marketplace === undefined ? sellerApiRelayRules : relayRules[marketplace];
}
