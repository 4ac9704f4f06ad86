import type { ServerResponse } from 'node:http';

import type { Calls } from '#relay/calls/answer-call';
import { parseAuthorization } from '#relay/rules/index';

/** How many calls may be in progress at once, including replies that are still being sent: per token, and for all strangers together. */
const maxCalls = { token: 32, strangers: 256 };
/** While this many bytes of replies wait to be read, for one client or in all, no further reply is begun. */
const maxUnreadBytes = { ofClient: 24 * 1024 * 1024, inAll: 128 * 1024 * 1024 };

export interface Client {
  /** Counts a reply's bytes until it is sent or given up; false if too many already wait. */
  readonly takes: (bytes: number) => boolean;
  /** Called when the call's work has ended, whether or not its client is still there. */
  readonly settled: () => void;
}

/**
 * Creates the admission of requests on all routes except those for load balancers. It counts a call until its reply is sent, or is given up
 * and the call has settled, and returns undefined if too many are in progress. A token counts as a stranger's until it has proved valid,
 * since anybody can make up one of the right form.
 */
export function createGate({ holding, authorize }: Pick<Calls, 'holding' | 'authorize'>) {
  const clients = new Map<string, { calls: number; unreadBytes: number }>();
  let unreadInAll = 0;
  const isFull = (name: string): boolean => {
    if (holding.has(name)) return false;
    const strangers = [...clients].filter(([one]) => !holding.has(one));
    return strangers.reduce((sum, [, { calls }]) => sum + calls, 0) >= maxCalls.strangers;
  };

  return async (
    authorization: string | undefined,
    outgoing: ServerResponse,
  ): Promise<Client | undefined> => {
    const { name = '' } = parseAuthorization(authorization ?? '') ?? {};
    if (isFull(name)) {
      // So strangers do not keep out an agent whom this relay has not seen since its start.
      await authorize(authorization).catch(() => undefined);
      if (isFull(name) || outgoing.destroyed) return undefined;
    }
    const client = clients.get(name) ?? { calls: 0, unreadBytes: 0 };
    const isFree = (): boolean =>
      client.unreadBytes < maxUnreadBytes.ofClient && unreadInAll < maxUnreadBytes.inAll;
    if ((name !== '' && client.calls >= maxCalls.token) || !isFree()) return undefined;
    client.calls += 1;
    clients.set(name, client);
    let unread = 0;
    let ends = 0;
    const settled = (): void => {
      ends += 1;
      if (ends !== 2) return;
      client.calls -= 1;
      if (client.calls === 0) clients.delete(name);
    };
    outgoing.once('close', () => {
      client.unreadBytes -= unread;
      unreadInAll -= unread;
      // After a reply is sent, only the end of its transaction remains.
      if (outgoing.writableFinished) settled();
      settled();
    });
    return {
      settled,
      takes: (bytes) => {
        // For a client that has gone there are no further events.
        if (outgoing.closed) return true;
        if (!isFree()) return false;
        unread += bytes;
        client.unreadBytes += bytes;
        unreadInAll += bytes;
        return true;
      },
    };
  };
}
