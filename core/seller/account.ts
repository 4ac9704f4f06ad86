/** Describes the account of an API key (spec section 2, "Account"). A missing text is `''`, a missing list empty, all else absent. */
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
    /** Open set of network names, in the order sent; links are http(s) only. */
    readonly socialLinks: readonly { readonly network: string; readonly url: string }[];
    readonly avatar?: string;
    readonly cover?: string;
  };
  /** Paths of fields that came in a form that could not be read, as the reply names them; absent where there are none. */
  readonly unreadable?: readonly string[];
}
