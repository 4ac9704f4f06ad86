import { withPolicyKeys } from '#core/policy/merge-keys';
import type { PolicyState } from '#messaging/topics/policy';
import type { Ask } from '#messaging/protocol';
import type { KeyRingPort } from '#stores/verifier/ports';

type Ring = Pick<KeyRingPort, 'read' | 'change'>;

/**
 * Pins the public keys of the policy in force, and removes those that an earlier one pinned. Changes nothing where the policy in
 * force cannot be read, as after an update that reads policies more strictly.
 */
export async function pinPolicyKeys(ring: Ring, { policy, fault }: PolicyState): Promise<void> {
  if (policy === null && fault !== null) return;
  const keys = policy?.keys ?? [];
  const present = await ring.read();
  if (withPolicyKeys(present, keys) !== present)
    await ring.change((all) => withPolicyKeys(all, keys));
}

/** Asks which policy is in force, and pins its keys. A page that watches the ring shows them. */
export async function applyPolicyKeys(ask: Ask, ring: Ring): Promise<void> {
  await pinPolicyKeys(ring, await ask('policy.state', { again: false }));
}
