/**
 * Describes an item on sale (spec section 2, "Item"). Only `id` and `name` are always sent: a missing text is `''`, a missing
 * list empty, all else absent. Addresses are http(s); text is untrusted.
 */
export interface Item {
  readonly id: number;
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
  /** As sent, such as `USD`; `''` where there is none. */
  readonly currency: string;
  /** Epoch milliseconds. */
  readonly publishedAt?: number;
  /** Paths of fields that came in a form that could not be read, as the reply names them; absent where there are none. */
  readonly unreadable?: readonly string[];
}

/** Holds the media of an item; which of them are present depends on its kind (spec section 2, "Item media"). */
export interface ItemMedia {
  readonly thumbnail?: string;
  readonly previewImage?: string;
  readonly previewVideo?: string;
  readonly previewAudio?: string;
  readonly screenshots: readonly string[];
}
