import type { ItemId } from '#core/item-id';

/** A purchase as validation returns it (spec section 2, "Purchase"). Moments are epoch milliseconds. */
export interface Purchase {
  /** Written as the server sent it. */
  readonly purchaseCode: string;
  /** An open string; `Regular` and `Extended` get a translated label. */
  readonly licenseType: string;
  readonly price?: number;
  /** The currency as sent, such as `USD`; `''` if there is none. */
  readonly currency: string;
  readonly item: Item;
  /** Whether the marketplace left out the item's id, so that it is unknown whether it is the expected item. */
  readonly itemUnknown?: true;
  /** Absent when support is disabled or was not bought (spec section 2). */
  readonly supportedUntil?: number;
  readonly downloaded?: boolean;
  /** When it was bought; absent if the marketplace does not say. */
  readonly date?: number;
  /** The marketplace's objection to the purchase; absent if it has none. */
  readonly problem?: PurchaseProblem;
  /** Whether the marketplace reports no support period for any purchase. */
  readonly supportUnknown?: true;
  /** Who bought it, if the marketplace says so. */
  readonly buyer?: { readonly name?: string; readonly email?: string };
  /** How often the code was used, and how often it may be, as the marketplace counts. */
  readonly uses?: { readonly count: number; readonly limit?: number };
  /** For how many people it was bought, if for more than one. */
  readonly seats?: number;
  readonly partlyRefunded?: true;
  /** Whether the buyer has ever disputed the payment, whatever the outcome. */
  readonly disputed?: true;
  readonly testMode?: true;
  /** The code is valid before this moment, epoch milliseconds. */
  readonly expiresAt?: number;
  /** Paths in the reply of fields that could not be read, except those of `item`; absent if there are none. */
  readonly unreadable?: readonly string[];
}

/** Why a purchase does not count although the marketplace knows it. */
export interface PurchaseProblem {
  readonly kind: (typeof purchaseProblems)[number];
  /** Since when, epoch milliseconds; absent: always. */
  readonly from?: number;
}

/**
 * A marketplace's possible objections to a purchase. `ended`: its subscription has ended. `test`: made in test mode,
 * without a payment.
 */
export const purchaseProblems = [
  'refunded',
  'disputed',
  'charged-back',
  'disabled',
  'expired',
  'ended',
  'test',
] as const;

/**
 * An item on sale (spec section 2, "Item"). Only `id` and `name` are always sent: a missing text is `''`, a missing
 * list empty, all else absent. Addresses are http(s); text is untrusted.
 */
export interface Item {
  readonly id: ItemId;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly subCategory: string;
  readonly options: readonly string[];
  /** Dotted version as sent, such as `2.4.1`. */
  readonly version: string;
  readonly demoLink?: string;
  readonly tags: readonly string[];
  readonly media: ItemMedia;
  readonly price: { readonly regular?: number; readonly extended?: number };
  /** The currency as sent, such as `USD`; `''` if there is none. */
  readonly currency: string;
  /** Epoch milliseconds. */
  readonly publishedAt?: number;
  /**
   * Paths in the reply of fields that could not be read; absent if there are none.
   */
  readonly unreadable?: readonly string[];
}

/** The media of an item; which of them are present depends on its kind (spec section 2, "Item media"). */
export interface ItemMedia {
  readonly thumbnail?: string;
  readonly previewImage?: string;
  readonly previewVideo?: string;
  readonly previewAudio?: string;
  readonly screenshots: readonly string[];
}

/**
 * The account of an API key (spec section 2, "Account"). A missing text is `''`, a missing list empty, all else absent.
 */
export interface Account {
  readonly username: string;
  readonly email: string;
  readonly name: { readonly first: string; readonly last: string; readonly full: string };
  /** Decimal amount in `currency`. */
  readonly balance?: number;
  /** Currency code as sent, such as `USD`. */
  readonly currency: string;
  /** Epoch milliseconds. */
  readonly registeredAt?: number;
  readonly profile: {
    readonly heading: string;
    /** Untrusted text; may hold HTML, which is shown as text. */
    readonly description: string;
    readonly contactEmail?: string;
    /** Network names are an open set, in the order sent; links are http(s) only. */
    readonly socialLinks: readonly { readonly network: string; readonly url: string }[];
    readonly avatar?: string;
    readonly cover?: string;
  };
  /**
   * The account's stores with their names, if the connection names none of them. With a wrong store, no code would be
   * found.
   */
  readonly stores?: readonly { readonly id: string; readonly name: string }[];
  /**
   * Paths in the reply of fields that could not be read; absent if there are none.
   */
  readonly unreadable?: readonly string[];
}
