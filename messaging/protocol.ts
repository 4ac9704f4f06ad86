import type { InferOutput } from 'valibot';
import type { administrationRules } from '#messaging/administration-rules';
import type { AuthorityReplies } from '#messaging/topics/authority';
import type { BulkReplies } from '#messaging/topics/bulk';
import { type CheckReplies, checkRules } from '#messaging/topics/check';
import type { ConnectionsReplies } from '#messaging/topics/connections';
import { lockRules, type SecretsReplies } from '#messaging/topics/secrets';
import type { UnreadableReplies } from '#messaging/topics/unreadable';
import type { ItemsReplies } from '#messaging/topics/items';
import type { PolicyReplies } from '#messaging/topics/policy';
import type { SettingsReplies } from '#messaging/topics/settings';
import type { TeamReplies } from '#messaging/topics/team';
import { type TicketReplies, ticketRules } from '#messaging/topics/ticket';

/** The rules of the topics for checks and tickets, which the worker's first script serves. */
export const checkingRules = {
  ...checkRules,
  ...lockRules,
  ...ticketRules,
};

/** The worker's reply to each topic. No reply contains an API key. */
export interface Replies
  extends
    AuthorityReplies,
    BulkReplies,
    CheckReplies,
    ConnectionsReplies,
    ItemsReplies,
    PolicyReplies,
    SecretsReplies,
    SettingsReplies,
    TeamReplies,
    TicketReplies,
    UnreadableReplies {}

export type TopicName = keyof typeof checkingRules | keyof typeof administrationRules;

type AllRules = typeof checkingRules & typeof administrationRules;
export type Body<T extends TopicName> = InferOutput<AllRules[T]['body']>;
export type Reply<T extends TopicName> = Replies[T];

/** Why the worker refused a topic. */
export type Refusal<T extends TopicName> = Extract<Reply<T>, { readonly ok: false }>['fault'];

/** The type of a topic's answer on success. */
export type Granted<T extends TopicName> = Extract<Reply<T>, { readonly ok: true }>['value'];

/**
 * Sends a request to the worker. Entry files bind it to `runtime.sendMessage`; it rejects only if no worker answers.
 */
export type Ask = <T extends TopicName>(topic: T, body: Body<T>) => Promise<Reply<T>>;
