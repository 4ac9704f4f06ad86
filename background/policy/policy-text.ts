import type { SecretStore } from '#adapters/secrets/secret-store';
import type { AppliedPolicy } from '#adapters/storage/worker/index';
import type { WorkerContext } from '#background/dependencies';
import type { DemandedKeyStorage } from '#core/policy/index';
import { fail } from '#core/result';

/** The policy's text as the browser holds it, beside what was applied last. */
export interface PolicyText {
  readonly present: unknown;
  readonly applied: AppliedPolicy;
  /** Whether the present text is to be applied, or an application was begun and never recorded as done. */
  readonly isDue: boolean;
}

/**
 * Returns the policy as the browser holds it, not yet parsed, and the text applied last, which stands in while the browser does
 * not answer. A browser that has just started may not know its policy yet, so that it has to say twice that there is none any
 * more.
 */
export async function policyText({
  managedSettings,
  policy,
  pause,
}: Pick<WorkerContext, 'managedSettings' | 'policy' | 'pause'>): Promise<PolicyText> {
  const applied = await policy.read();
  const read = async (): Promise<unknown> =>
    (await managedSettings.read().catch(() => applied.text)) ?? '';
  let present = await read();
  if (present === '' && applied.text !== '') {
    await pause(1000);
    present = await read();
  }
  return {
    present,
    applied,
    isDue: present !== applied.text || applied.begun !== undefined,
  };
}

/**
 * Makes the key store obey the storage that the organization demands: until the keys are stored that way, none is read or
 * written, and no other way can be chosen. Stored keys stay, and are used again once the demand is met.
 * @param demanded returns the demand in force
 */
export function demandKeyStorage(
  secrets: SecretStore,
  demanded: () => Promise<DemandedKeyStorage | undefined>,
): SecretStore {
  const isUnmet = async (): Promise<boolean> => {
    const demand = await demanded();
    return demand !== undefined && demand.mode !== (await secrets.state()).mode;
  };
  const refused = fail({ kind: 'key-storage-demanded' });

  return {
    ...secrets,
    read: async (binding) =>
      (await isUnmet())
        ? fail({ kind: 'no-key', because: 'key-storage-demanded' })
        : secrets.read(binding),
    write: async (binding, apiKey) =>
      (await isUnmet()) ? refused : secrets.write(binding, apiKey),
    writeWith: async (binding, apiKey, commit) =>
      (await isUnmet()) ? refused : secrets.writeWith(binding, apiKey, commit),
    async setMode(change) {
      const demand = await demanded();
      if (demand === undefined) return secrets.setMode(change);
      return change.mode === demand.mode
        ? secrets.setMode({ ...change, ...demand })
        : fail({ kind: 'set-by-policy' });
    },
    async unlock(passphrase) {
      const unlocked = await secrets.unlock(passphrase);
      const demand = await demanded();
      return unlocked.ok && demand?.mode === unlocked.value.mode
        ? secrets.setMode(demand)
        : unlocked;
    },
  };
}
