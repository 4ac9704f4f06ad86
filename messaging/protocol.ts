import type { AuthorityProtocol } from '#messaging/authority/protocol';
import type { BulkProtocol } from '#messaging/bulk/protocol';
import type { CheckProtocol } from '#messaging/check/protocol';
import type { ConnectionsProtocol } from '#messaging/connections/protocol';
import type { ItemsProtocol } from '#messaging/items/protocol';
import type { PolicyProtocol } from '#messaging/policy/protocol';
import type { QuarantineProtocol } from '#messaging/quarantine/protocol';
import type { RehearsalProtocol } from '#messaging/rehearsal/protocol';
import type { SecretsProtocol } from '#messaging/secrets/protocol';
import type { SettingsProtocol } from '#messaging/settings/protocol';
import type { TeamProtocol } from '#messaging/team/protocol';
import type { TicketProtocol } from '#messaging/ticket/protocol';

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
