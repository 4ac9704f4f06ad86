import { type PolicyState, withPolicyKeys } from '#core/policy/index';
import type { Ask } from '#messaging/index';
import type { KeyRingPort } from '#core/key-ring/index';

type Ring = Pick<KeyRingPort, 'read' | 'change'>;

/**
 * Updates the key ring: pins the keys of the organization's policy, and revokes those that the team's signed settings
 * revoke. A page that watches the ring shows both.
 * @param now epoch milliseconds
 */
export async function syncPinnedKeys(ask: Ask, ring: Ring, now: number): Promise<void> {
  await pinPolicyKeys(ring, await ask('policy.state', {}));
  const { joined, signedIn } = await ask('team.state', {});
  // Only a signer that the agent confirmed may revoke keys.
  if (joined?.settingsKey === undefined || !signedIn) return;
  // It verifies a signature with a library that pages do not need at start.
  const { fetchTeamSettings, revokeTeamKeys } = await import('#stores/team/team-settings');
  const settings = await fetchTeamSettings(ask, joined, now);
  if (settings.ok && settings.value !== undefined)
    await revokeTeamKeys(ring, settings.value.revokedKeys);
}

/**
 * Pins the public keys of the policy in force, and removes those that an earlier policy pinned. Changes nothing if the
 * policy in force cannot be read, for example after an update that is stricter about policies.
 */
export async function pinPolicyKeys(ring: Ring, { policy, fault }: PolicyState): Promise<void> {
  if (policy === null && fault !== null) return;
  const keys = policy?.keys ?? [];
  const present = await ring.read();
  if (withPolicyKeys(present, keys) !== present)
    await ring.change((all) => withPolicyKeys(all, keys));
}
