import type { AccountLocation } from '#core/connections/index';
import { envatoCodes } from '#core/marketplaces/envato/reader';
import type { CodeReader, ItemReader, Reader } from '#core/marketplaces/marketplace';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { sellerApi } from '#core/marketplaces/seller-api/reader';

type OfMarketplace = Pick<AccountLocation, 'marketplace'>;

/**
 * Readers that are loaded when first needed, because a worker reads its whole script before it can answer: everything
 * except code lookups at the seller API and Envato, which load at start.
 */
export type LaterReaders = Readonly<
  Record<Exclude<MarketplaceId, 'envato'>, Reader> & Record<'envato' | 'sellerApi', ItemReader>
>;

export interface Readers {
  readonly codeReaderOf: (connection: OfMarketplace) => CodeReader;
  readonly itemReaderOf: (connection: OfMarketplace) => ItemReader;
}

/** Joins the code readers in the first script with those that are loaded later. */
export function readersFrom(load: () => LaterReaders): Readers {
  return {
    codeReaderOf({ marketplace }) {
      if (marketplace === undefined) return sellerApi;
      return marketplace === 'envato' ? envatoCodes : load()[marketplace];
    },
    itemReaderOf: ({ marketplace }) => load()[marketplace ?? 'sellerApi'],
  };
}
