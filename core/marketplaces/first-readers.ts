import type { AccountPlace } from '#core/connections/index';
import { envatoCodes } from '#core/marketplaces/envato/reader';
import type { CodeReader, ItemReader } from '#core/marketplaces/marketplace';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { sellerApi } from '#core/marketplaces/seller-api/reader';

type Place = Pick<AccountPlace, 'marketplace'>;

/** Loaded when first needed, because a worker reads its whole script before it can answer. */
export interface LaterReaders {
  readonly codes: Readonly<Record<Exclude<MarketplaceId, 'envato'>, CodeReader>>;
  readonly itemReaderOf: (place: Place) => ItemReader;
}

/** Says how the marketplace of a connection is asked. */
export interface Readers {
  readonly codeReaderOf: (place: Place) => CodeReader;
  readonly itemReaderOf: (place: Place) => ItemReader;
}

/** Joins the readers of codes that are there from the start, of the seller API and Envato, with all others. */
export function readersFrom(load: () => LaterReaders): Readers {
  return {
    codeReaderOf({ marketplace }) {
      if (marketplace === undefined) return sellerApi;
      return marketplace === 'envato' ? envatoCodes : load().codes[marketplace];
    },
    itemReaderOf: (place) => load().itemReaderOf(place),
  };
}
