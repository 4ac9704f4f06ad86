import type { Result } from '#core/result';
import type { SecretFault, SecretState } from '#core/connections/secret';
import type { SecretStore } from '#adapters/secrets/secret-store';
import type { Body } from '#messaging/protocol';
import type { SessionCache } from '#background/seller/session-cache';

interface Parts {
  readonly secrets: SecretStore;
  readonly sessionCache: SessionCache;
  /** Asks for `lockIfDue` to be called at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
}

/** How keys are kept, and when they lock. What was learned under a key is forgotten when it locks. */
export interface Locking {
  setMode(change: Body<'secrets.set-mode'>): Promise<Result<SecretState, SecretFault>>;
  unlock(passphrase: string): Promise<Result<SecretState, SecretFault>>;
  lock(): Promise<SecretState>;
  reset(): Promise<SecretState>;
  /** Locks when the keys were not used for as long as was chosen; else asks to be called again. */
  lockIfDue(): Promise<void>;
}

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
      // Reading the state locks what has reached its time.
      const { locked } = await secrets.state();
      if (locked) await sessionCache.forget();
      else await arm();
    },
  };
}
