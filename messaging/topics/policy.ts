import type { EntryIds } from '#core/settings/index';
import type { Policy, PolicyFault } from '#core/policy/policy';
import type { StorageFull } from '#core/storage-full';
import { noBody, type Rules } from '#messaging/topic';

export const policyRules = {
  'policy.state': {
    from: ['options', 'desk', 'verifier'],
    body: noBody,
  },
} satisfies Rules;

export interface PolicyReplies {
  /** Applies the organization's policy where it has changed, and tells what it sets. */
  'policy.state': PolicyState;
}

/** Tells what the organization's policy sets in this browser. */
export interface PolicyState {
  /** The policy in force; null without one. */
  readonly policy: Policy | null;
  /** What it locks. */
  readonly locked: EntryIds;
  /** Why the present policy is not used; an earlier one may still be in force. */
  readonly fault: PolicyFault | StorageFull | null;
}
