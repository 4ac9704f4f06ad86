import type { PinnedKey } from '#core/license/keys/pinned-key';

/**
 * Makes a key ring hold the policy's keys: keys that an earlier policy brought go, those of this one are added or take the
 * place of the agent's entry. A key stays revoked, and remembers how it signs.
 */
export function withPolicyKeys(
  ring: readonly PinnedKey[],
  keys: readonly PinnedKey[],
): readonly PinnedKey[] {
  const own = ring.filter(({ raw, byPolicy }) => byPolicy !== true && !isAmong(keys, raw));
  const theirs = keys.map((key): PinnedKey => {
    const present = ring.find(({ raw }) => raw === key.raw);
    const { remembered } = present ?? {};
    return {
      ...key,
      ...(remembered !== undefined && { remembered }),
      revoked: key.revoked || present?.revoked === true,
      byPolicy: true,
    };
  });
  const merged = [...theirs, ...own];
  return JSON.stringify(merged) === JSON.stringify(ring) ? ring : merged;
}

function isAmong(keys: readonly PinnedKey[], raw: string): boolean {
  return keys.some((key) => key.raw === raw);
}
