import type { Reply, TopicName } from '#messaging/protocol';

/** Describes the message sent to the worker. A request that is sent again carries the same `nonce`. */
export interface RequestMessage {
  readonly topic: string;
  readonly nonce: string;
  readonly body: unknown;
}

/** Describes the message sent back. A failure carries no details: those stay in the worker. */
export type ReplyMessage<T extends TopicName = TopicName> =
  | { readonly answered: true; readonly reply: Reply<T> }
  | { readonly answered: false; readonly because: 'refused' | 'failed' };
