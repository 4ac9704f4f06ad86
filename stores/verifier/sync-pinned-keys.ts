import type { Ask } from '#messaging/protocol';
import { applyPolicyKeys } from '#stores/policy/policy-keys';
import { applyTeamRevocations } from '#stores/team/apply-revocations';
import type { KeyRingPort } from '#stores/verifier/ports';

/**
 * Makes the key ring what others than the agent say of it: the organization's policy pins keys, the team's settings revoke some.
 * @param now epoch milliseconds
 */
export async function syncPinnedKeys(
  ask: Ask,
  ring: Pick<KeyRingPort, 'read' | 'change'>,
  now: number,
): Promise<void> {
  await applyPolicyKeys(ask, ring);
  await applyTeamRevocations(ask, ring, now);
}
