import { type Result, fail, succeed } from '#core/result';
import { originPattern } from '#core/connections/origin';
import type { Connection } from '#core/connections/connection';
import type { Fault } from '#core/seller/fault';
import type { ConnectionStore } from '#adapters/storage/connection-store';
import type { Permissions } from '#adapters/browser/permissions';
import type { SecretBinding } from '#adapters/secrets/crypto';
import type { SecretStore } from '#adapters/secrets/secret-store';
import type { Access } from '#background/seller/seller-client';
import type { SessionCache } from '#background/seller/session-cache';

/** A piece of work for a page ends, or has become a countdown, within 20 s (design, "Errors"). */
const longestWorkMs = 20_000;

/** What an API key is bound to. */
export function bindingOf({
  id,
  baseAddress,
}: Pick<Connection, 'id' | 'baseAddress'>): SecretBinding {
  return { connectionId: id, origin: new URL(baseAddress).origin };
}

interface Parts {
  readonly connections: ConnectionStore;
  readonly permissions: Permissions;
  readonly secrets: SecretStore;
  readonly sessionCache: SessionCache;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface SellerAccessProvider {
  find(connectionId: string): Promise<Connection | undefined>;
  /** Faults before any request: `no-connection`, `not-permitted`, `locked`, `no-key`. */
  gain(connection: Connection | undefined): Promise<Result<Access, Fault>>;
}

/** From a connection's id to the right and the key to ask it. */
export function createSellerAccess(parts: Parts): SellerAccessProvider {
  const { connections, permissions, secrets, sessionCache, now } = parts;
  return {
    async find(connectionId) {
      const all = await connections.read();
      return all.find(({ id, deletedUntil }) => id === connectionId && deletedUntil === undefined);
    },

    async gain(connection) {
      if (connection === undefined) return fail({ kind: 'no-connection' });
      const deadline = now() + longestWorkMs;
      const binding = bindingOf(connection);
      const [permitted, apiKey] = await Promise.all([
        permissions.has(originPattern(connection.baseAddress)),
        secrets.read(binding),
      ]);
      if (!permitted) return fail({ kind: 'not-permitted', origin: binding.origin });
      if (!apiKey.ok) {
        // The lock timer may have run out unnoticed: what was learned under that key goes with it.
        if (apiKey.fault.kind === 'locked') await sessionCache.forget();
        return apiKey;
      }
      return succeed({ connection, apiKey: apiKey.value, deadline });
    },
  };
}
