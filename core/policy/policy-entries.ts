import type { LicenseAuthority } from '#core/authority/index';
import type { Connection } from '#core/connections/index';
import { readRing } from '#core/key-ring/index';
import type { PinnedKey } from '#core/keys/index';
import type { Policy } from '#core/policy/policy';
import {
  isSameTemplate,
  mergedReplySettings,
  namesTemplate,
  type ReplySettings,
  templateKey,
} from '#core/reply-templates/index';
import type { EntryIds } from '#core/settings-import/index';

/**
 * Finds the stored entries that belong to the policy and are therefore locked.
 * @param stored the lists after the policy was imported into them
 */
export function findPolicyEntries(
  policy: Policy,
  stored: {
    readonly connections: readonly Pick<Connection, 'id' | 'name' | 'baseAddress'>[];
    readonly authorities: readonly Pick<LicenseAuthority, 'id' | 'name' | 'address'>[];
  },
): EntryIds {
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
    // Pinned keys are marked themselves.
    keys: [],
    templates: (policy.templates?.templates ?? []).map(templateKey),
  };
}

/**
 * Tells whether the policy sets the expected item of a help desk that it added. If it names none, the item is the
 * agent's.
 * @param policy null if it can no longer be read: then everything stays locked
 */
export function locksExpectedItem(policy: Pick<Policy, 'sites'> | null, origin: string): boolean {
  if (policy === null) return true;
  return policy.sites.some((site) => site.origin === origin && site.expectedItem !== undefined);
}

/**
 * Merges the policy's reply templates into the agent's. Those with the same id and language are replaced, and those
 * that an earlier policy added are removed. The agent's other templates follow the policy's.
 * @param added the templates that an earlier policy added
 */
export function withPolicyTemplates(
  { templates, ...present }: ReplySettings,
  policy: Partial<ReplySettings>,
  added: readonly string[],
): ReplySettings {
  const theirs = policy.templates ?? [];
  const own = (templates ?? []).filter(
    (one) => !namesTemplate(added, one) && !theirs.some((other) => isSameTemplate(one, other)),
  );
  return mergedReplySettings(present, policy, [...theirs, ...own]);
}

/**
 * Updates a key ring to the policy's keys: removes keys that an earlier policy added, and adds this policy's keys or
 * replaces the agent's entries with them. A replaced entry stays, as the policy had it, when the policy is removed. A
 * key stays revoked and keeps its remembered forms.
 */
export function withPolicyKeys(
  ring: readonly PinnedKey[],
  keys: readonly PinnedKey[],
): readonly PinnedKey[] {
  const own = ring
    .filter((key) => isOwn(key) && !isAmong(keys, key.raw))
    .map(({ byPolicy: _byPolicy, wasOwn: _wasOwn, ...key }) => key);
  const theirs = keys.map((key): PinnedKey => {
    const present = ring.find(({ raw }) => raw === key.raw);
    const { remembered } = present ?? {};
    return {
      ...key,
      ...(remembered !== undefined && { remembered }),
      revoked: key.revoked || present?.revoked === true,
      byPolicy: true,
      ...(present !== undefined && isOwn(present) && { wasOwn: true }),
    };
  });
  const merged = [...theirs, ...own];
  // Compared as read from storage, which orders members and leaves out empty ones.
  const asStored = (keys: readonly PinnedKey[]): string => JSON.stringify(readRing(keys));
  return asStored(merged) === asStored(ring) ? ring : merged;
}

function isOwn({ byPolicy, wasOwn }: PinnedKey): boolean {
  return byPolicy !== true || wasOwn === true;
}

function isAmong(keys: readonly PinnedKey[], raw: string): boolean {
  return keys.some((key) => key.raw === raw);
}
