import type { AccountLocation } from '#core/connections/index';
import {
  easyDigitalDownloadsCodes,
  easyDigitalDownloadsItems,
  relayedEasyDigitalDownloads,
} from '#core/marketplaces/easy-digital-downloads/reader';
import { envatoItems, relayedEnvato } from '#core/marketplaces/envato/reader';
import { type LaterReaders, readersFrom } from '#core/marketplaces/first-readers';
import { freemiusCodes, freemiusItems, relayedFreemius } from '#core/marketplaces/freemius/reader';
import { gumroadCodes, gumroadItems, relayedGumroad } from '#core/marketplaces/gumroad/reader';
import {
  lemonSqueezyCodes,
  lemonSqueezyItems,
  relayedLemonSqueezy,
} from '#core/marketplaces/lemon-squeezy/reader';
import {
  type CodeReader,
  type ItemReader,
  type Relayed,
  wholeOf,
} from '#core/marketplaces/marketplace';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { polarCodes, polarItems, relayedPolar } from '#core/marketplaces/polar/reader';
import { relayedSellerApi, sellerApiItems } from '#core/marketplaces/seller-api/reader';

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
const relayed: Readonly<Record<MarketplaceId, Relayed>> = {
  'easy-digital-downloads': relayedEasyDigitalDownloads,
  envato: relayedEnvato,
  freemius: relayedFreemius,
  gumroad: relayedGumroad,
  'lemon-squeezy': relayedLemonSqueezy,
  polar: relayedPolar,
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
export function relayedOf({ marketplace }: OfMarketplace): Relayed {
  return marketplace === undefined ? relayedSellerApi : relayed[marketplace];
}
