import { isLive } from '#core/storage/index';
import type { WorkerContext } from '#background/dependencies';
import { bindingOf } from '#background/seller/index';
import {
  type ConnectionState,
  type SecretFault,
  type SecretState,
  type StoredConnection,
} from '#core/connections/index';
import { originPattern } from '#core/address/index';
import { type Result, omitUndefined } from '#core/result';
import type { Body, Handlers } from '#messaging/index';

/** Changes how API keys are stored, and locks them. Locking clears the session cache but for what is known of keys. */
export interface Locking {
  setMode(change: Body<'secrets.set-mode'>): Promise<Result<SecretState, SecretFault>>;
  unlock(passphrase: string): Promise<Result<SecretState, SecretFault>>;
  lock(): Promise<SecretState>;
  reset(): Promise<SecretState>;
  /** Locks the keys if they were unused for the chosen time; otherwise schedules the next call. */
  lockIfDue(): Promise<void>;
}

export interface ConnectionsFeature {
  readonly list: () => Promise<ConnectionState[]>;
  /** Returns a live connection as pages see it: with the state of its key and permission, but without the key. */
  readonly stateOf: (stored: StoredConnection) => Promise<ConnectionState>;
  readonly locking: Locking;
  readonly handlers: Pick<
    Handlers,
    'connections.list' | 'secrets.state' | 'secrets.unlock' | 'secrets.lock'
  >;
}

/**
 * Lists connections, and locks and unlocks their keys.
 * @param keysChanged called after the keys were unlocked
 */
export function createConnectionsFeature(
  context: WorkerContext,
  keysChanged: () => void,
): ConnectionsFeature {
  const { connectionStore, secrets, permissions, sessionCache } = context;
  const locking = createLocking(context);

  async function stateOf(stored: StoredConnection): Promise<ConnectionState> {
    const [hasKey, permitted, keyWorkedAt, refusal] = await Promise.all([
      secrets.has(bindingOf(stored)),
      permissions.has(originPattern(stored.baseAddress)),
      sessionCache.read('account', stored),
      sessionCache.read('refusal', stored),
    ]);
    const keyRefusal = refusal && refusal.at > (keyWorkedAt ?? 0) ? refusal : undefined;
    return omitUndefined({ ...stored, hasKey, permitted, keyWorkedAt, keyRefusal });
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

function createLocking({
  secrets,
  sessionCache,
  scheduleAlarm,
}: Pick<WorkerContext, 'secrets' | 'sessionCache' | 'scheduleAlarm'>): Locking {
  async function arm(): Promise<void> {
    const moment = await secrets.locksAt();
    if (moment !== undefined) await scheduleAlarm('lock', moment);
  }

  return {
    async setMode(change) {
      const changed = await secrets.setMode(change);
      await arm();
      return changed;
    },

    async unlock(passphrase) {
      const unlocked = await secrets.unlock(passphrase);
      await arm();
      return unlocked;
    },

    async lock() {
      const state = await secrets.lock();
      await sessionCache.forget(undefined, true);
      return state;
    },

    async reset() {
      const state = await secrets.reset();
      await sessionCache.forget();
      return state;
    },

    async lockIfDue() {
      // Reading the state locks keys that have timed out.
      const { locked } = await secrets.state();
      if (locked) await sessionCache.forget(undefined, true);
      else await arm();
    },
  };
}
