import type { AccountLocation } from '#core/connections/index';
import { envatoCodes } from '#core/marketplaces/envato/reader';
import type { CodeReader, ItemReader, Reader } from '#core/marketplaces/marketplace';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { sellerApi } from '#core/marketplaces/seller-api/reader';

type OfMarketplace = Pick<AccountLocation, 'marketplace'>;

/**
 * Loaded when first needed, because a worker reads its whole script before it can answer: all but how the seller API
 * (`own`) and Envato are asked about codes.
 */
export type LaterReaders = Readonly<
  Record<Exclude<MarketplaceId, 'envato'>, Reader> & Record<'envato' | 'own', ItemReader>
>;

export interface Readers {
  readonly codeReaderOf: (connection: OfMarketplace) => CodeReader;
  readonly itemReaderOf: (connection: OfMarketplace) => ItemReader;
}

/** Joins the readers of codes that are there from the start, of the seller API and Envato, with all others. */
export function readersFrom(load: () => LaterReaders): Readers {
  return {
    codeReaderOf({ marketplace }) {
      if (marketplace === undefined) return sellerApi;
      return marketplace === 'envato' ? envatoCodes : load()[marketplace];
    },
    itemReaderOf: ({ marketplace }) => load()[marketplace ?? 'own'],
  };
}
