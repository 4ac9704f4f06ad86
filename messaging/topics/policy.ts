import * as v from 'valibot';

import type { PolicyEntries } from '#core/policy/locks';
import type { Policy, PolicyFault } from '#core/policy/policy';
import type { StorageFull } from '#core/storage-full';
import type { Rules } from '#messaging/topic';

export const policyRules = {
  'policy.state': {
    from: ['options', 'desk', 'verifier'],
    body: v.strictObject({ again: v.boolean() }),
  },
} satisfies Rules;

export interface PolicyReplies {
  /** Applies the organization's policy where it has changed, and tells what it sets. `again`: even where it has not. */
  'policy.state': PolicyState;
}

/** Tells what the organization's policy sets in this browser. */
export interface PolicyState {
  /** The policy in force; null without one. */
  readonly policy: Policy | null;
  /** What it locks. */
  readonly locked: PolicyEntries;
  /** Why the present policy is not used; an earlier one may still be in force. */
  readonly fault: PolicyFault | StorageFull | null;
}
