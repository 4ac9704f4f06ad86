/**
 * Describes a marketplace to an agent who connects one. What has a name on its pages is called so here in every language, since it is
 * looked for there.
 */
export interface Descriptor {
  readonly name: string;
  /** The address of its API; absent when each shop has its own. */
  readonly baseAddress?: string;
  /** The page where a key is made. */
  readonly keyAt: string;
  /** Whether codes are answered for without a key, which then tells items, orders and the account alone. */
  readonly keyIsOptional?: true;
  /** The permissions that a key needs. */
  readonly permissions: readonly string[];
  /** Reasons for "not found" beyond those that every marketplace has. */
  readonly notFoundAlso?: 'account-closed';
  /** Which of the service's accounts is meant, where it answers for the codes of all of them. */
  readonly store?: {
    readonly label: string;
    /** Where it is shown. */
    readonly at: string;
  };
}
