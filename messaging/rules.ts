import { authorityRules } from '#messaging/authority/rules';
import { bulkRules } from '#messaging/bulk/rules';
import { checkRules } from '#messaging/check/rules';
import { connectionsRules } from '#messaging/connections/rules';
import { itemsRules } from '#messaging/items/rules';
import type { Protocol } from '#messaging/protocol';
import { policyRules } from '#messaging/policy/rules';
import { quarantineRules } from '#messaging/quarantine/rules';
import { rehearsalRules } from '#messaging/rehearsal/rules';
import type { RulesOf } from '#messaging/rule';
import { secretsRules } from '#messaging/secrets/rules';
import { settingsRules } from '#messaging/settings/rules';
import { teamRules } from '#messaging/team/rules';
import { ticketRules } from '#messaging/ticket/rules';

/** Gives the rule of every topic. A topic without a rule does not compile. */
export const rules: RulesOf<Protocol> = {
  ...authorityRules,
  ...bulkRules,
  ...checkRules,
  ...connectionsRules,
  ...itemsRules,
  ...policyRules,
  ...quarantineRules,
  ...rehearsalRules,
  ...secretsRules,
  ...settingsRules,
  ...teamRules,
  ...ticketRules,
};
