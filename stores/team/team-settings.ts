import { fail, type Result, succeed } from '#core/result';
import type { JoinedTeam, TeamFault } from '#core/team/team';
import {
  readSignedSettings,
  type TeamSettings,
  type TeamSettingsFault,
  verifyTeamSettings,
} from '#core/team/team-settings';
import type { Ask } from '#messaging/protocol';

/** Describes settings whose signature holds, and the key that it holds under. */
export interface VerifiedSettings extends TeamSettings {
  readonly signedBy: string;
}

let engine: Promise<Parameters<typeof verifyTeamSettings>[2]> | undefined;

/**
 * Fetches the team's settings and verifies them; undefined when the team has none. The key they are signed with counts as
 * confirmed only where the team already has one.
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
  engine ??= import('#core/license/signature/engines').then(({ chooseEngine }) => chooseEngine());
  const known = { relay, version, settingsKey: settingsKey ?? signed.key };
  const verified = await verifyTeamSettings(signed, known, await engine, now);
  return verified.ok ? succeed({ ...verified.value, signedBy: signed.key }) : verified;
}
