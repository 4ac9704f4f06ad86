import { defineStore } from 'pinia';
import { computed, type ComputedRef, ref } from 'vue';

import type { Result } from '#core/result';
import type { SecretFault, SecretMode, SecretState } from '#core/connections/index';
import type { Body } from '#messaging/index';
import { usePolicy } from '#stores/policy/policy';
import { askPort, usePort } from '#stores/ports';

/** How API keys are stored, and whether they are locked. No key ever reaches a page. */
export const useSecrets = defineStore('secrets', () => {
  const ask = usePort(askPort);
  const state = ref<SecretState>();
  const fault = ref<SecretFault>();
  const busy = ref(false);

  async function load(): Promise<void> {
    state.value = await ask('secrets.state', {});
  }

  /** Unlocks the keys; returns whether they are now unlocked. */
  async function unlock(passphrase: string): Promise<boolean> {
    return apply(ask('secrets.unlock', { passphrase }));
  }

  async function setMode(change: Body<'secrets.set-mode'>): Promise<boolean> {
    return apply(ask('secrets.set-mode', change));
  }

  async function lock(): Promise<void> {
    state.value = await ask('secrets.lock', {});
  }

  /** Deletes every key, if the passphrase was forgotten. */
  async function reset(): Promise<void> {
    fault.value = undefined;
    state.value = await ask('secrets.reset', {});
  }

  async function apply(answer: Promise<Result<SecretState, SecretFault>>): Promise<boolean> {
    busy.value = true;
    fault.value = undefined;
    const result = await answer.finally(() => {
      busy.value = false;
    });
    if (result.ok) state.value = result.value;
    else fault.value = result.fault;
    return result.ok;
  }

  return { state, fault, busy, load, unlock, setMode, lock, reset };
});

/**
 * Returns the storage mode that the organization requires, if keys are stored in another way; until that changes, no
 * key can be entered.
 */
export function useUnmetStorage(): ComputedRef<SecretMode | undefined> {
  const policy = usePolicy();
  const secrets = useSecrets();
  return computed(() => {
    const demanded = policy.policy?.keyStorage?.mode;
    const present = secrets.state?.mode;
    return present === undefined || present === demanded ? undefined : demanded;
  });
}
