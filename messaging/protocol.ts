import type { InferOutput } from 'valibot';

import { type AuthorityReplies, authorityRules } from '#messaging/topics/authority';
import { type BulkReplies, bulkRules } from '#messaging/topics/bulk';
import { type CheckReplies, checkRules } from '#messaging/topics/check';
import { type ConnectionsReplies, connectionsRules } from '#messaging/topics/connections';
import { type ItemsReplies, itemsRules } from '#messaging/topics/items';
import { type PolicyReplies, policyRules } from '#messaging/topics/policy';
import { type QuarantineReplies, quarantineRules } from '#messaging/topics/quarantine';
import { type RehearsalReplies, rehearsalRules } from '#messaging/topics/rehearsal';
import { type SecretsReplies, secretsRules } from '#messaging/topics/secrets';
import { type SettingsReplies, settingsRules } from '#messaging/topics/settings';
import { type TeamReplies, teamRules } from '#messaging/topics/team';
import { type TicketReplies, ticketRules } from '#messaging/topics/ticket';

/** Holds the rule of every topic, put together from one file a feature. */
export const rules = {
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

/** Lists what the worker replies to each topic. No reply holds an API key. */
export interface Replies
  extends
    AuthorityReplies,
    BulkReplies,
    CheckReplies,
    ConnectionsReplies,
    ItemsReplies,
    PolicyReplies,
    QuarantineReplies,
    RehearsalReplies,
    SecretsReplies,
    SettingsReplies,
    TeamReplies,
    TicketReplies {}

export type TopicName = keyof typeof rules;
export type Body<T extends TopicName> = InferOutput<(typeof rules)[T]['body']>;
export type Reply<T extends TopicName> = Replies[T];

/** Sends a request to the worker. Entry files bind it to `runtime.sendMessage`; it rejects only when no worker answers. */
export type Ask = <T extends TopicName>(topic: T, body: Body<T>) => Promise<Reply<T>>;
