import type { Reply, TopicName } from '#messaging/protocol';

/** What travels to the worker. A question asked twice (the worker was stopped) carries the same `nonce`. */
export interface RequestMessage {
  readonly topic: string;
  readonly nonce: string;
  readonly body: unknown;
}

/** What travels back. A failure says no more than that: details of an error stay where it happened. */
export type ReplyMessage<T extends TopicName = TopicName> =
  | { readonly answered: true; readonly reply: Reply<T> }
  | { readonly answered: false; readonly because: 'refused' | 'failed' };
