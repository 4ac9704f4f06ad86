import type { PolicyState } from '#core/policy/index';
import { noBody, type Rules } from '#messaging/topic';

export const policyRules = {
  'policy.state': {
    from: ['options', 'desk', 'verifier'],
    body: noBody,
  },
} satisfies Rules;

export interface PolicyReplies {
  'policy.state': PolicyState;
}
