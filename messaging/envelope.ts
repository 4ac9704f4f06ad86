import type { Reply, TopicName } from '#messaging/protocol';

/** Describes the message sent to the worker. A request that is sent again carries the same `nonce`. */
export interface RequestMessage {
  readonly topic: string;
  readonly nonce: string;
  readonly body: unknown;
}

/**
 * Limits how long a handler takes, milliseconds. The page counts a request as lost only after it, and then sends it again, so
 * that nothing is asked twice of a slow server.
 */
export function handlerLimitMs(topic: string): number {
  // All items come in one reply (spec section 4).
  return topic === 'items.all' ? 60_000 : 40_000;
}

/** Describes the message sent back. A failure carries no details: those stay in the worker. */
export type ReplyMessage<T extends TopicName = TopicName> =
  | { readonly answered: true; readonly reply: Reply<T> }
  | { readonly answered: false; readonly because: 'refused' | 'failed' };
