import * as v from 'valibot';

import type { PolicyProtocol } from '#messaging/topics/policy';
import type { RulesOf } from '#messaging/rule';

export const policyRules: RulesOf<PolicyProtocol> = {
  'policy.state': {
    from: ['options', 'desk', 'verifier'],
    body: v.strictObject({ again: v.boolean() }),
  },
};
