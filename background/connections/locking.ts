import type { Result } from '#core/result';
import type { SecretFault, SecretState } from '#core/connections/api-key';
import type { SecretStore } from '#adapters/secrets/secret-store';
import type { Body } from '#messaging/protocol';
import type { SessionCache } from '#background/seller/session-cache';

interface Parts {
  readonly secrets: SecretStore;
  readonly sessionCache: SessionCache;
  /** Schedules a call of `lockIfDue` at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
}

/** Changes how API keys are stored, and locks them. Locking clears the session cache. */
export interface Locking {
  setMode(change: Body<'secrets.set-mode'>): Promise<Result<SecretState, SecretFault>>;
  unlock(passphrase: string): Promise<Result<SecretState, SecretFault>>;
  lock(): Promise<SecretState>;
  reset(): Promise<SecretState>;
  /** Locks the keys when they were unused for the chosen time; otherwise schedules the next call. */
  lockIfDue(): Promise<void>;
}

/** Creates the locking of the API keys. */
export function createLocking({ secrets, sessionCache, scheduleAlarm }: Parts): Locking {
  async function arm(): Promise<void> {
    const moment = await secrets.locksAt();
    if (moment !== undefined) await scheduleAlarm(moment);
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
      await sessionCache.forget();
      return state;
    },

    async reset() {
      const state = await secrets.reset();
      await sessionCache.forget();
      return state;
    },

    async lockIfDue() {
      // Reading the state locks keys whose time is over.
      const { locked } = await secrets.state();
      if (locked) await sessionCache.forget();
      else await arm();
    },
  };
}
