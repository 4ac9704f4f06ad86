import type { ServerResponse } from 'node:http';

import type { Calls } from '#relay/calls/answer-call';
import { parseAuthorization } from '#relay/rules/index';

/** How many calls may be under way at once, replies that are still being sent included: of one token, and of all strangers. */
const maxCalls = { token: 32, strangers: 256 };
/** No further reply is begun while so many bytes of others wait to be read, for one client and in all. */
const maxUnreadBytes = { ofClient: 24 * 1024 * 1024, inAll: 128 * 1024 * 1024 };

export interface Client {
  /** Counts a reply's bytes until it has left or is given up; false where too many wait already. */
  readonly takes: (bytes: number) => boolean;
  /** Is called once the call asks for nothing more, whether or not its client is still there. */
  readonly settled: () => void;
}

/**
 * Creates what lets requests in, whatever their route, but for those of load balancers, which pass by it. It counts a call until its
 * reply has left, or is given up and the call has settled, and returns undefined when too many are under way. A token that has not
 * held yet is a stranger's, since anybody can write one of the right form.
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
      // Strangers keep out no agent whom this relay has not seen since it began.
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
      // Once a reply has left, only the end of its transaction is to come.
      if (outgoing.writableFinished) settled();
      settled();
    });
    return {
      settled,
      takes: (bytes) => {
        // A client that has gone sends no further event.
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
