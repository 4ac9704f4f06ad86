import { keyName } from '#core/key-ring/key-name';
import type { PinnedKey } from '#core/license/keys/pinned-key';
import type { KeyRingPort, Verify } from '#stores/verifier/ports';

/** Returns the keys that are fit to be pinned, with the fingerprint that they have. */
export async function validKeys(
  verify: Pick<Verify, 'ask'>,
  wanted: readonly PinnedKey[],
): Promise<PinnedKey[]> {
  const judged = wanted.map(async (key) => {
    const read = await verify.ask({ ask: 'read-key', source: key.raw }).catch(() => undefined);
    if (read?.ok !== true) return [];
    const { raw, fingerprint } = read.value;
    return [{ ...key, id: fingerprint, raw, fingerprint }];
  });
  return (await Promise.all(judged)).flat();
}

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
