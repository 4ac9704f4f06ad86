import { connectionOf } from '#adapters/storage/worker/connection-store';
import { type Locking, createLocking } from '#background/connections/locking';
import { isLive } from '#background/connections/soft-delete';
import type { WorkerContext } from '#background/dependencies';
import { bindingOf } from '#background/seller/access';
import type { StoredConnection } from '#core/connections/connection';
import { originPattern } from '#core/connections/origin';
import type { Handlers } from '#messaging/serve';
import type { ConnectionState } from '#messaging/topics/connections';

export interface ConnectionsFeature {
  /** Lists the connections that are not deleted. */
  readonly list: () => Promise<ConnectionState[]>;
  /** Describes a connection as pages see it: with a word on key and permission, and without the key. */
  readonly stateOf: (stored: StoredConnection) => Promise<ConnectionState>;
  readonly locking: Locking;
  readonly handlers: Pick<
    Handlers,
    'connections.list' | 'secrets.state' | 'secrets.unlock' | 'secrets.lock'
  >;
}

/**
 * Lists connections, and locks and unlocks their keys.
 * @param keysChanged called once keys were unlocked
 */
export function createConnectionsFeature(
  context: WorkerContext,
  keysChanged: () => void,
): ConnectionsFeature {
  const { connectionStore, secrets, permissions } = context;
  const locking = createLocking({
    secrets,
    sessionCache: context.sessionCache,
    scheduleAlarm: (moment) => context.scheduleAlarm('lock', moment),
  });

  async function stateOf(stored: StoredConnection): Promise<ConnectionState> {
    const [hasKey, permitted] = await Promise.all([
      secrets.has(bindingOf(stored)),
      permissions.has(originPattern(stored.baseAddress)),
    ]);
    return { ...connectionOf(stored), hasKey, permitted };
  }

  const list = async (): Promise<ConnectionState[]> =>
    Promise.all((await connectionStore.read()).filter(isLive).map(stateOf));

  return {
    list,
    stateOf,
    locking,
    handlers: {
      'connections.list': list,
      'secrets.state': () => secrets.state(),
      'secrets.unlock': async ({ passphrase }) => {
        const unlocked = await locking.unlock(passphrase);
        keysChanged();
        return unlocked;
      },
      'secrets.lock': () => locking.lock(),
    },
  };
}
