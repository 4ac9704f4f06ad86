import { keyName, type KeyRingPort } from '#core/key-ring/index';
import type { Ed25519Engine } from '#core/keys/ed25519';
import type { PinnedKey } from '#core/keys/index';
import { fail, type Result, succeed } from '#core/result';
import {
  type JoinedTeam,
  readSignedSettings,
  type TeamFault,
  type TeamSettings,
  type TeamSettingsFault,
  verifyTeamSettings,
} from '#core/team/index';
import type { Ask } from '#messaging/index';
import type { Verify } from '#core/verifier/index';

/** Settings with a valid signature, and the key that signed them. */
export interface VerifiedSettings extends TeamSettings {
  readonly signedBy: string;
}

let engine: Promise<Ed25519Engine> | undefined;

/**
 * Fetches the team's settings and verifies them; undefined if the team has none. The signing key counts as confirmed
 * only if it is the one that the agent confirmed earlier.
 * @param now epoch milliseconds
 */
export async function fetchTeamSettings(
  ask: Ask,
  { relay, settingsKey, version }: JoinedTeam,
  now: number,
): Promise<Result<VerifiedSettings | undefined, TeamFault | TeamSettingsFault>> {
  const reply = await ask('team.settings', {});
  if (!reply.ok) return reply;
  if (reply.value === null) return succeed(undefined);
  const signed = readSignedSettings(reply.value);
  if (signed === undefined) return fail({ kind: 'not-team-settings' });
  engine ??= import('#core/keys/ed25519').then(({ chooseEngine }) => chooseEngine());
  const known = { relay, version, settingsKey: settingsKey ?? signed.key };
  const verified = await verifyTeamSettings(signed, known, await engine, now);
  return verified.ok ? succeed({ ...verified.value, signedBy: signed.key }) : verified;
}

/** Returns the keys that are fit to be pinned, with computed fingerprints. */
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

/** Revokes the pinned keys that the team's settings revoke; returns the names of those that were not yet revoked. */
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
