import type { Item } from '#core/seller/item';

/** Describes a purchase as validation returns it (spec section 2, "Purchase"). Moments are epoch milliseconds. */
export interface Purchase {
  /** As the server wrote it. */
  readonly purchaseCode: string;
  /** An open string; `Regular` and `Extended` get a translated label. */
  readonly licenseType: string;
  readonly price?: number;
  /** As sent, such as `USD`; `''` where there is none. */
  readonly currency: string;
  readonly item: Item;
  /** Absent when support is disabled or was not bought (spec section 2). */
  readonly supportedUntil?: number;
  readonly downloaded?: boolean;
  readonly date: number;
  /** Paths of fields that came in a form that could not be read, those of `item` apart, as the reply names them; absent where there are none. */
  readonly unreadable?: readonly string[];
}
