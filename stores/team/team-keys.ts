import { keyName } from '#core/key-ring/key-name';
import type { KeyRingPort } from '#stores/verifier/ports';

/** Revokes pinned keys that the team's settings revoke; returns the names of those that were not revoked yet. */
export async function revokeTeamKeys(
  ring: Pick<KeyRingPort, 'read' | 'change'>,
  revokedKeys: readonly string[],
): Promise<string[]> {
  const named = (await ring.read()).filter(
    ({ raw, revoked }) => !revoked && revokedKeys.includes(raw),
  );
  if (named.length === 0) return [];
  await ring.change((keys) =>
    keys.map((key) => (revokedKeys.includes(key.raw) ? { ...key, revoked: true } : key)),
  );
  return named.map(keyName);
}
