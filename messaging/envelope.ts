import type { Reply, TopicName } from '#messaging/protocol';

declare const __COUNTERFOIL_BUILD__: string | undefined;

/**
 * The build of this script; `''` if it was not built. Chromium may run a worker of an older build together with newer
 * pages, if the files of an unpacked extension were replaced while it was closed.
 */
export const ownBuild = typeof __COUNTERFOIL_BUILD__ === 'string' ? __COUNTERFOIL_BUILD__ : '';

/** The message sent to the worker. A repeated request has the same `nonce`. */
export interface RequestMessage {
  readonly topic: string;
  readonly nonce: string;
  readonly body: unknown;
  /** The sender's build; absent if it does not matter. */
  readonly build?: string;
}

/**
 * Returns how long a handler may take, in milliseconds. Only after that does the page treat a request as lost and
 * repeat it, so that a slow server is not asked twice.
 */
export function handlerLimitMs(topic: string): number {
  // All items are in one reply (spec section 4).
  return topic === 'items.all' ? 60_000 : 40_000;
}

/** The message sent back. A failure has no details; those stay in the worker. */
export type ReplyMessage<T extends TopicName = TopicName> =
  | { readonly answered: true; readonly reply: Reply<T> }
  | { readonly answered: false; readonly reason: 'refused' | 'failed' | 'other-build' };
