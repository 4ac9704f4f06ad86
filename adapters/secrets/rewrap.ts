import type { StorageArea } from '#adapters/storage/worker/index';
import type { SecretMode } from '#core/connections/index';
import { omitUndefined } from '#core/result';
import { open, seal, type SecretBinding } from '#adapters/secrets/sealing';
import {
  type BoundKey,
  openSecretRecord,
  readSessionSecret,
  removeSessionSecrets,
  type SecretRecord,
  writeSecretRecord,
  writeSessionSecret,
  writeUnlocked,
} from '#adapters/secrets/secret-record';
import { createWrapping, keepUnlocked, type KeyStores } from '#adapters/secrets/wrapping';

interface NewWrapping {
  readonly mode: SecretMode;
  /** Needed for `passphrase`. */
  readonly passphrase: string | undefined;
  readonly lockAfterMinutes: number;
}

/**
 * Re-encrypts all keys under another wrapping key. New material is written first, then the record that points to it,
 * and then the old material is deleted. If it is stopped anywhere in between, every key can still be read.
 *
 * A connection whose key can no longer be decrypted loses it, so that the agent is asked for it again.
 * @param key the key that encrypts the present entries; `undefined` in session mode, or if it is lost.
 */
export async function rewrap(
  stores: KeyStores,
  present: SecretRecord,
  key: CryptoKey | undefined,
  { mode, passphrase, lockAfterMinutes }: NewWrapping,
): Promise<SecretRecord> {
  const opened = await openAll(stores, present, key);
  const next = await createWrapping(stores, mode, passphrase);
  const entries: SecretRecord['entries'] = {};
  for (const { connectionId, current, following } of opened) {
    entries[connectionId] = await rebind(stores, next.key, connectionId, current);
    if (following === undefined || next.key === undefined) continue;
    const renewed = await rebind(stores, next.key, connectionId, following);
    entries[connectionId] = { ...entries[connectionId], next: renewed };
  }
  const record: SecretRecord = { wrapping: next.wrapping, lockAfterMinutes, entries };
  // This comes before the record is replaced, so that bits of the old passphrase are never taken for those of the new
  // one.
  await writeUnlocked(stores.session, undefined);
  await writeSecretRecord(stores.local, record);
  if (next.bits !== undefined) await keepUnlocked(stores, next.bits, record);
  await removeUnneeded(stores, record, present);
  return record;
}

/** Removes what only the previous record needed, and remains of an interrupted change. */
export async function removeUnneeded(
  { local, session, wrappingKeys }: KeyStores,
  record: SecretRecord,
  before: SecretRecord,
): Promise<void> {
  const { wrapping, entries } = record;
  // An unreadable record may be encrypted under any of them.
  if ((await openSecretRecord(local).unused()).unreadable.length === 0)
    await wrappingKeys.removeOthers(wrapping.mode === 'device' ? wrapping.keyId : undefined);
  const gone = Object.keys(before.entries).filter(
    (id) => wrapping.mode !== 'session' || !Object.hasOwn(entries, id),
  );
  if (gone.length > 0) await removeSessionSecrets(session, gone);
}

interface OpenedKey {
  readonly baseAddress: string;
  readonly apiKey: string | undefined;
}

async function openAll(
  { session }: KeyStores,
  { wrapping, entries }: SecretRecord,
  key: CryptoKey | undefined,
): Promise<{ connectionId: string; current: OpenedKey; following?: OpenedKey }[]> {
  const openOne = async (
    connectionId: string,
    { baseAddress, sealed }: BoundKey,
  ): Promise<OpenedKey> => ({
    baseAddress,
    apiKey:
      wrapping.mode === 'session'
        ? await readSessionKey(session, { connectionId, baseAddress })
        : key && sealed && (await open(key, { connectionId, baseAddress }, sealed)),
  });
  return Promise.all(
    Object.entries(entries).map(async ([connectionId, entry]) =>
      omitUndefined({
        connectionId,
        current: await openOne(connectionId, entry),
        following: entry.next && (await openOne(connectionId, entry.next)),
      }),
    ),
  );
}

/** If a worker was stopped during a save, the key may belong to another address. */
async function readSessionKey(
  session: StorageArea,
  { connectionId, baseAddress }: SecretBinding,
): Promise<string | undefined> {
  const secret = await readSessionSecret(session, connectionId);
  return secret?.baseAddress === baseAddress ? secret.apiKey : undefined;
}

/** Stores a decrypted key under the new wrapping key, or without one in session storage. */
async function rebind(
  { session }: KeyStores,
  key: CryptoKey | undefined,
  connectionId: string,
  { baseAddress, apiKey }: OpenedKey,
): Promise<BoundKey> {
  if (apiKey === undefined) return { baseAddress };
  if (key !== undefined)
    return { baseAddress, sealed: await seal(key, { connectionId, baseAddress }, apiKey) };
  await writeSessionSecret(session, connectionId, { baseAddress, apiKey });
  return { baseAddress };
}
