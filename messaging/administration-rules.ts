import { authorityRules } from '#messaging/topics/authority';
import { bulkRules } from '#messaging/topics/bulk';
import { connectionsRules } from '#messaging/topics/connections';
import { itemsRules } from '#messaging/topics/items';
import { policyRules } from '#messaging/topics/policy';
import { settingsRules } from '#messaging/topics/settings';
import { teamRules } from '#messaging/topics/team';
import { sitesRules } from '#messaging/topics/ticket';
import { secretsRules } from '#messaging/topics/secrets';
import { unreadableRules } from '#messaging/topics/unreadable';

/** The rules of all other topics, which the worker's second script serves. */
export const administrationRules = {
  ...authorityRules,
  ...bulkRules,
  ...connectionsRules,
  ...itemsRules,
  ...policyRules,
  ...secretsRules,
  ...settingsRules,
  ...sitesRules,
  ...teamRules,
  ...unreadableRules,
};
