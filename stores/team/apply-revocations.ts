import type { Ask } from '#messaging/protocol';
import { revokeTeamKeys } from '#stores/team/team-keys';
import { fetchTeamSettings } from '#stores/team/team-settings';
import type { KeyRingPort } from '#stores/verifier/ports';

/**
 * Revokes the pinned keys that the team's signed settings revoke, before a page judges by them for long. A page that watches the
 * ring shows them as revoked. Does nothing without a team, or while its relay cannot be asked.
 * @param now epoch milliseconds
 */
export async function applyTeamRevocations(
  ask: Ask,
  ring: Pick<KeyRingPort, 'read' | 'change'>,
  now: number,
): Promise<void> {
  const { joined, signedIn } = await ask('team.state', {});
  // Without a confirmed signer nobody may revoke here.
  if (joined?.settingsKey === undefined || !signedIn) return;
  const settings = await fetchTeamSettings(ask, joined, now);
  if (settings.ok && settings.value !== undefined)
    await revokeTeamKeys(ring, settings.value.revokedKeys);
}
