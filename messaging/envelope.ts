import type { Reply, TopicName } from '#messaging/protocol';

declare const __COUNTERFOIL_BUILD__: string | undefined;

/**
 * The build that this script is of; `''` where nothing was built. Chromium may run the worker of an older build beside
 * newer pages, when an unpacked extension's files were replaced while it was closed.
 */
export const ownBuild = typeof __COUNTERFOIL_BUILD__ === 'string' ? __COUNTERFOIL_BUILD__ : '';

/** The message sent to the worker. A request that is sent again carries the same `nonce`. */
export interface RequestMessage {
  readonly topic: string;
  readonly nonce: string;
  readonly body: unknown;
  /** The sender's build; absent where it does not matter. */
  readonly build?: string;
}

/**
 * Limits how long a handler takes, milliseconds. The page counts a request as lost only after it, and then sends it
 * again, so that nothing is asked twice of a slow server.
 */
export function handlerLimitMs(topic: string): number {
  // All items come in one reply (spec section 4).
  return topic === 'items.all' ? 60_000 : 40_000;
}

/** The message sent back. A failure carries no details: those stay in the worker. */
export type ReplyMessage<T extends TopicName = TopicName> =
  | { readonly answered: true; readonly reply: Reply<T> }
  | { readonly answered: false; readonly reason: 'refused' | 'failed' | 'other-build' };
