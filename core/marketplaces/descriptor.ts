/**
 * Describes a marketplace to an agent who connects one. Whatever has a name on its pages keeps that name here in every
 * language, since the agent looks for it there.
 */
export interface Descriptor {
  readonly name: string;
  /** The address of its API; absent when each shop has its own. */
  readonly baseAddress?: string;
  /** The page where a key is made. */
  readonly keyAt: string;
  /** Whether codes can be checked without a key; a key then only adds items, orders and the account. */
  readonly keyless?: true;
  readonly permissions: readonly string[];
  /** Whether it says until when a purchase has support, as the seller API does. */
  readonly tellsSupport?: true;
  /** Reasons for "not found" beyond those that every marketplace has. */
  readonly notFoundAlso?: 'account-closed';
  /** The store to ask for, if the service answers for the codes of every store. */
  readonly store?: {
    readonly label: string;
    /** Where it is shown. */
    readonly at: string;
  };
}
