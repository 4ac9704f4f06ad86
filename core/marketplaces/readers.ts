import type { AccountLocation } from '#core/connections/index';
import { easyDigitalDownloads } from '#core/marketplaces/easy-digital-downloads/reader';
import { envatoItems } from '#core/marketplaces/envato/reader';
import { type LaterReaders, readersFrom } from '#core/marketplaces/first-readers';
import { freemius } from '#core/marketplaces/freemius/reader';
import { gumroad } from '#core/marketplaces/gumroad/reader';
import { lemonSqueezy } from '#core/marketplaces/lemon-squeezy/reader';
import { type Reader, wholeOf } from '#core/marketplaces/marketplace';
import { polar } from '#core/marketplaces/polar/reader';
import { sellerApiItems } from '#core/marketplaces/seller-api/reader';

export const laterReaders: LaterReaders = {
  sellerApi: sellerApiItems,
  'easy-digital-downloads': easyDigitalDownloads,
  envato: envatoItems,
  freemius,
  gumroad,
  'lemon-squeezy': lemonSqueezy,
  polar,
};

/** Returns the reader of a connection's marketplace. */
export function marketplaceOf(location: Pick<AccountLocation, 'marketplace'>): Reader {
  const { codeReaderOf, itemReaderOf } = readersFrom(() => laterReaders);
  return wholeOf(codeReaderOf(location), itemReaderOf(location));
}
