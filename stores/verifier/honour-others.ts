import type { Ask } from '#messaging/protocol';
import { honourPolicyKeys } from '#stores/policy/policy-keys';
import { honourTeamRevocations } from '#stores/team/honour-revocations';
import type { KeyRingPort } from '#stores/verifier/ports';

/**
 * Makes the key ring what others than the agent say of it: the organisation's policy pins keys, the team's settings revoke some.
 * @param now epoch milliseconds
 */
export async function honourOthers(
  ask: Ask,
  ring: Pick<KeyRingPort, 'read' | 'change'>,
  now: number,
): Promise<void> {
  await honourPolicyKeys(ask, ring);
  await honourTeamRevocations(ask, ring, now);
}
