import * as v from 'valibot';

import { marketplaceIds } from '#core/marketplaces/index';
import { omitUndefined } from '#core/result';

/** In UTF-16 units. */
const maxStoreLength = 64;

/** The location of a connection's account, in addition to its address. */
export const accountLocationSchema = {
  marketplace: v.exactOptional(v.picklist(marketplaceIds)),
  store: v.exactOptional(v.pipe(v.string(), v.regex(/^[\w-]+$/u), v.maxLength(maxStoreLength))),
};

/** The location of a connection's account, in addition to its address. */
export interface AccountLocation {
  /** Absent: a seller API. */
  readonly marketplace?: (typeof marketplaceIds)[number];
  /** The account's store, if the marketplace answers for the codes of every store. */
  readonly store?: string;
}

/** Copies the account's location from a larger object. */
export function accountLocation({ marketplace, store }: AccountLocation): AccountLocation {
  return omitUndefined({ marketplace, store });
}
