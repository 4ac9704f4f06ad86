import type { Permissions } from '#adapters/browser/permissions';
import type { SecretStore } from '#adapters/secrets/secret-store';
import {
  type ConnectionStore,
  type StoredConnection,
  connectionOf,
} from '#adapters/storage/connection-store';
import { isLive } from '#background/connections/soft-delete';
import { bindingOf } from '#background/seller/access';
import { originPattern } from '#core/connections/origin';
import type { ConnectionState } from '#messaging/topics/connections';

interface StateDependencies {
  readonly store: Pick<ConnectionStore, 'read'>;
  readonly secrets: Pick<SecretStore, 'has'>;
  readonly permissions: Pick<Permissions, 'has'>;
}

/** Reads connections as pages see them: with a word on key and permission, and without the key. */
export interface ConnectionStates {
  readonly stateOf: (stored: StoredConnection) => Promise<ConnectionState>;
  /** Lists the connections that are not deleted. */
  readonly list: () => Promise<ConnectionState[]>;
}

export function createConnectionStates(dependencies: StateDependencies): ConnectionStates {
  const { store, secrets, permissions } = dependencies;

  async function stateOf(stored: StoredConnection): Promise<ConnectionState> {
    const [hasKey, permitted] = await Promise.all([
      secrets.has(bindingOf(stored)),
      permissions.has(originPattern(stored.baseAddress)),
    ]);
    return { ...connectionOf(stored), hasKey, permitted };
  }

  return {
    stateOf,
    list: async () => Promise.all((await store.read()).filter(isLive).map(stateOf)),
  };
}
