/**
 * Describes a marketplace to an agent who connects it. Names from the marketplace's own pages are never translated,
 * since the agent looks for them there.
 */
export interface Descriptor {
  readonly name: string;
  /** The address of its API; absent when each shop has its own. */
  readonly baseAddress?: string;
  /** The page where a key is created. */
  readonly keyAt: string;
  /** Whether codes can be checked without a key; a key then only adds items, orders and the account. */
  readonly keyless?: true;
  readonly permissions: readonly string[];
  /** Whether it reports until when a purchase has support, as the seller API does. */
  readonly knowsSupport?: true;
  /** A reason for "not found" that only some marketplaces have. */
  readonly notFoundAlso?: 'account-closed';
  /** The store to ask for, if the service answers for the codes of every store. */
  readonly store?: {
    readonly label: string;
    /** Where the marketplace shows it. */
    readonly at: string;
  };
}
