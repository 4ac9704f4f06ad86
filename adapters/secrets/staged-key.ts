import { seal, type SecretBinding } from '#adapters/secrets/sealing';
import {
  type BoundKey,
  readSessionSecret,
  removeSessionSecrets,
  type SecretEntry,
  type SecretRecord,
  writeSecretRecord,
  writeSessionSecret,
} from '#adapters/secrets/secret-record';
import { createDeviceWrapping, type WatchedKeyStores } from '#adapters/secrets/wrapping';

function isBoundTo(key: BoundKey, baseAddress: string): boolean {
  return key.baseAddress === baseAddress;
}

/** Returns the key bound to this address: the one in use, or the one staged to replace it. */
export function findKeyOf(
  entry: SecretEntry | undefined,
  baseAddress: string,
): BoundKey | undefined {
  return [entry, entry?.next].find((key) => key !== undefined && isBoundTo(key, baseAddress));
}

export interface StagedKey {
  /** Keeps only the new key. */
  readonly settle: () => Promise<void>;
  /** Restores the previous state. */
  readonly undo: () => Promise<void>;
}

/** Writes the new key in addition to a key of another address, or replaces a key of the same address. */
export async function stageKey(
  stores: WatchedKeyStores,
  record: SecretRecord,
  key: CryptoKey | 'none',
  binding: SecretBinding,
  apiKey: string,
): Promise<StagedKey> {
  const { local, session } = stores;
  const { connectionId, baseAddress } = binding;
  const present = record.entries[connectionId];
  if (record.wrapping.mode === 'session') {
    const before = await readSessionSecret(session, connectionId);
    const entries = { ...record.entries, [connectionId]: { baseAddress } };
    await writeSecretRecord(local, { ...record, entries });
    await writeSessionSecret(session, connectionId, { baseAddress, apiKey });
    return {
      settle: () => Promise.resolve(),
      undo: async () => {
        if (before === undefined) await removeSessionSecrets(session, [connectionId]);
        else await writeSessionSecret(session, connectionId, before);
        await writeSecretRecord(local, record);
      },
    };
  }
  // This is the first key of this device, or the wrapping key was lost; then the old entries stay unreadable.
  const { key: sealing, wrapping } =
    key === 'none' ? await createDeviceWrapping(stores) : { key, wrapping: record.wrapping };
  const bound = { baseAddress, sealed: await seal(sealing, binding, apiKey) };
  const withEntry = (entry: SecretEntry): SecretRecord => ({
    ...record,
    wrapping,
    entries: { ...record.entries, [connectionId]: entry },
  });
  const isMoved = present !== undefined && !isBoundTo(present, baseAddress);
  await writeSecretRecord(local, withEntry(isMoved ? { ...present, next: bound } : bound));
  return {
    settle: async () => {
      if (isMoved) await writeSecretRecord(local, withEntry(bound));
    },
    undo: () => writeSecretRecord(local, record),
  };
}
