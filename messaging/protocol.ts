import type { AuthorityProtocol } from '#messaging/topics/authority';
import type { BulkProtocol } from '#messaging/topics/bulk';
import type { CheckProtocol } from '#messaging/topics/check';
import type { ConnectionsProtocol } from '#messaging/topics/connections';
import type { ItemsProtocol } from '#messaging/topics/items';
import type { PolicyProtocol } from '#messaging/topics/policy';
import type { QuarantineProtocol } from '#messaging/topics/quarantine';
import type { RehearsalProtocol } from '#messaging/topics/rehearsal';
import type { SecretsProtocol } from '#messaging/topics/secrets';
import type { SettingsProtocol } from '#messaging/topics/settings';
import type { TeamProtocol } from '#messaging/topics/team';
import type { TicketProtocol } from '#messaging/topics/ticket';

/**
 * Lists every topic that can be sent to the worker, put together from one protocol a feature. `messaging/rules.ts` says
 * who may send each and what its body must look like. No reply holds an API key.
 */
export interface Protocol
  extends
    AuthorityProtocol,
    BulkProtocol,
    CheckProtocol,
    ConnectionsProtocol,
    ItemsProtocol,
    PolicyProtocol,
    QuarantineProtocol,
    RehearsalProtocol,
    SecretsProtocol,
    SettingsProtocol,
    TeamProtocol,
    TicketProtocol {}

export type TopicName = keyof Protocol;
export type Body<T extends TopicName> = Protocol[T]['body'];
export type Reply<T extends TopicName> = Protocol[T]['reply'];

/** Sends a request to the worker. Entry files bind it to `runtime.sendMessage`; it rejects only when no worker answers. */
export type Ask = <T extends TopicName>(topic: T, body: Body<T>) => Promise<Reply<T>>;
