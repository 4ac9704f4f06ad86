import type { Policy } from '#core/policy/policy';
import { templateKey } from '#core/reply-templates/template-list';

/** Lists entries by their ids, sites by their origins, templates by `templateKey`. */
export interface PolicyEntries {
  readonly connections: readonly string[];
  readonly authorities: readonly string[];
  readonly sites: readonly string[];
  readonly templates: readonly string[];
}

/** Lists nothing. */
export const noEntries: PolicyEntries = {
  connections: [],
  authorities: [],
  sites: [],
  templates: [],
};

interface StoredLists {
  readonly connections: readonly { readonly id: string; name: string; baseAddress: string }[];
  readonly authorities: readonly { readonly id: string; name: string; address: string }[];
}

/**
 * Finds the stored entries that are the policy's: those are locked.
 * @param stored the lists after the policy was imported into them
 */
export function findPolicyEntries(policy: Policy, stored: StoredLists): PolicyEntries {
  return {
    connections: policy.connections.flatMap(
      ({ name, baseAddress }) =>
        stored.connections.find((one) => one.baseAddress === baseAddress && one.name === name)
          ?.id ?? [],
    ),
    authorities: policy.authorities.flatMap(
      ({ name, address }) =>
        stored.authorities.find((one) => one.address === address && one.name === name)?.id ?? [],
    ),
    sites: policy.sites.map(({ origin }) => origin),
    templates: (policy.templates?.templates ?? []).map(templateKey),
  };
}

/**
 * Tells whether the expected item of a help desk that the policy brought is the policy's: one that it does not name is the
 * agent's.
 * @param policy null when it cannot be read any more: then everything stays locked
 */
export function locksExpectedItem(policy: Pick<Policy, 'sites'> | null, origin: string): boolean {
  if (policy === null) return true;
  return policy.sites.some((site) => site.origin === origin && site.expectedItem !== undefined);
}
