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
 * Finds the stored entries that are the policy's: those are locked.
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
    // Pinned keys say themselves that they are the policy's.
    keys: [],
    templates: (policy.templates?.templates ?? []).map(templateKey),
  };
}

/**
 * Tells whether the expected item of a help desk that the policy added is the policy's: one that it does not name is
 * the agent's.
 * @param policy null when it cannot be read any more: then everything stays locked
 */
export function locksExpectedItem(policy: Pick<Policy, 'sites'> | null, origin: string): boolean {
  if (policy === null) return true;
  return policy.sites.some((site) => site.origin === origin && site.expectedItem !== undefined);
}

/**
 * Merges the policy's reply templates into the agent's: those of the same id and language are replaced, and those that
 * an earlier policy added go. The agent's others stay behind the policy's.
 * @param added names the templates that an earlier policy added
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
 * Makes a key ring hold the policy's keys: keys that an earlier policy added go, those of this one are added or take
 * the place of the agent's entry, which stays as the policy had it when that goes. A key stays revoked, and remembers
 * how it signs.
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
  // As they are read from the storage, which orders their members and leaves out what is empty.
  const asStored = (keys: readonly PinnedKey[]): string => JSON.stringify(readRing(keys));
  return asStored(merged) === asStored(ring) ? ring : merged;
}

function isOwn({ byPolicy, wasOwn }: PinnedKey): boolean {
  return byPolicy !== true || wasOwn === true;
}

function isAmong(keys: readonly PinnedKey[], raw: string): boolean {
  return keys.some((key) => key.raw === raw);
}
