import type { PolicyState } from '#core/policy/index';
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
