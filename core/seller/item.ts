/** An item on sale (spec section 2, "Item"). Addresses are http(s) or absent; text is untrusted text. */
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
  readonly price: { readonly regular: number; readonly extended: number };
  readonly currency: string;
  /** Epoch milliseconds. */
  readonly publishedAt?: number;
}

/** Presence follows the kind of item: spec section 2, "Item media". */
export interface ItemMedia {
  readonly thumbnail?: string;
  readonly previewImage?: string;
  readonly previewVideo?: string;
  readonly previewAudio?: string;
  readonly screenshots: readonly string[];
}
