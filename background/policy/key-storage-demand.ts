import type { SecretStore } from '#adapters/secrets/index';
import type { DemandedKeyStorage } from '#core/policy/index';
import { fail } from '#core/result';

/**
 * Restricts the key store to the storage mode that the organization requires. Until keys are stored that way, none is
 * read or written, and no other mode can be chosen. Stored keys are kept, and are used again once the requirement is
 * met.
 * @param demanded returns the requirement in force
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
        ? fail({ kind: 'no-key', reason: 'key-storage-demanded' })
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
