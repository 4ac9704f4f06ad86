import type { SecretMode } from '#core/connections/secret';
import {
  type SecretBinding,
  createDeviceKey,
  createSalt,
  deriveFromPassphrase,
  importWrappingKey,
  open,
  passphraseRounds,
  seal,
} from '#adapters/secrets/crypto';
import { type BoundKey, type SecretRecord, writeSecretRecord } from '#adapters/secrets/record';
import type { Quarantine } from '#adapters/storage/quarantine';
import {
  readSessionSecret,
  readUnlocked,
  removeSessionSecrets,
  writeSessionSecret,
  writeUnlocked,
} from '#adapters/secrets/session';
import type { WrappingKeys } from '#adapters/secrets/wrapping-keys';
import type { StorageArea } from '#adapters/storage/storage-area';

export interface SecretPlaces {
  /** Ciphertext, for good. */
  readonly local: StorageArea;
  /** Until the browser closes. */
  readonly session: StorageArea;
  readonly wrappingKeys: WrappingKeys;
  /** Takes a key record that cannot be read; while it holds one, wrapping keys stay. */
  readonly quarantine: Pick<Quarantine, 'add' | 'holds'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

type PassphraseWrapping = Extract<SecretRecord['wrapping'], { mode: 'passphrase' }>;

const proofBinding: SecretBinding = { connectionId: '', origin: 'proof of the passphrase' };
const proofText = 'counterfoil';

/** What an unlocked passphrase came to, base64; `undefined` while locked. Locks what has reached its time. */
export async function unlockedBits({ session, now }: SecretPlaces): Promise<string | undefined> {
  const unlocked = await readUnlocked(session);
  if (unlocked === undefined || now() < unlocked.lockAt) return unlocked?.bits;
  await writeUnlocked(session, undefined);
  return undefined;
}

export async function keepUnlocked(
  { session, now }: SecretPlaces,
  bits: string,
  { lockAfterMinutes }: SecretRecord,
): Promise<void> {
  await writeUnlocked(session, { bits, lockAt: now() + lockAfterMinutes * 60_000 });
}

/** The key that entries of this record are sealed under. `lost`: it is gone, or this mode has none. */
export async function wrappingKeyOf(
  places: SecretPlaces,
  { wrapping }: SecretRecord,
): Promise<CryptoKey | 'locked' | 'lost'> {
  switch (wrapping.mode) {
    case 'device':
      return (await places.wrappingKeys.find(wrapping.keyId)) ?? 'lost';
    case 'passphrase': {
      const bits = await unlockedBits(places);
      return bits === undefined ? 'locked' : importWrappingKey(bits);
    }
    case 'session':
      return 'lost';
  }
}

/** The bits behind a passphrase, or `undefined` when it is not the one. */
export async function bitsBehind(
  passphrase: string,
  { salt, rounds, proof }: PassphraseWrapping,
): Promise<string | undefined> {
  const bits = await deriveFromPassphrase(passphrase, salt, rounds);
  const opened = await open(await importWrappingKey(bits), proofBinding, proof);
  return opened === proofText ? bits : undefined;
}

/** A new wrapping key of this device, kept before anything is sealed under it. */
export async function createDeviceWrapping({
  wrappingKeys,
}: SecretPlaces): Promise<{ key: CryptoKey; wrapping: SecretRecord['wrapping'] }> {
  const key = await createDeviceKey();
  const keyId = crypto.randomUUID();
  await wrappingKeys.keep(keyId, key);
  return { key, wrapping: { mode: 'device', keyId } };
}

interface NewWrapping {
  readonly mode: SecretMode;
  /** Needed for `passphrase`. */
  readonly passphrase: string | undefined;
  readonly lockAfterMinutes: number;
}

/**
 * Puts all keys under another wrapping. New material is written first, then the one record that points to it, then
 * the old material goes: stopped anywhere in between, every key can still be read.
 *
 * What cannot be opened any more keeps its place without a key, so that it is asked for again rather than forgotten.
 * @param key what the present entries are sealed under; `undefined` in session mode, or when it is lost.
 */
export async function rewrap(
  places: SecretPlaces,
  present: SecretRecord,
  key: CryptoKey | undefined,
  { mode, passphrase, lockAfterMinutes }: NewWrapping,
): Promise<SecretRecord> {
  const opened = await openAll(places, present, key);
  const next = await createWrapping(places, mode, passphrase);
  const entries: SecretRecord['entries'] = {};
  for (const { connectionId, current, following } of opened) {
    entries[connectionId] = await rebind(places, next.key, connectionId, current);
    if (following === undefined || next.key === undefined) continue;
    const renewed = await rebind(places, next.key, connectionId, following);
    entries[connectionId] = { ...entries[connectionId], next: renewed };
  }
  const record: SecretRecord = { wrapping: next.wrapping, lockAfterMinutes, entries };
  // Before the record is switched: bits of the old passphrase must never be taken for those of the new.
  await writeUnlocked(places.session, undefined);
  await writeSecretRecord(places.local, record);
  if (next.bits !== undefined) await keepUnlocked(places, next.bits, record);
  await removeUnneeded(places, record, present);
  return record;
}

/** Removes what only the record before this one needed, and whatever a stopped change left behind. */
export async function removeUnneeded(
  { session, wrappingKeys, quarantine }: SecretPlaces,
  record: SecretRecord,
  before: SecretRecord,
): Promise<void> {
  const { wrapping, entries } = record;
  // A record that was set aside may be sealed under any of them.
  if (!(await quarantine.holds('secrets')))
    await wrappingKeys.removeOthers(wrapping.mode === 'device' ? wrapping.keyId : undefined);
  const gone = Object.keys(before.entries).filter(
    (id) => wrapping.mode !== 'session' || !Object.hasOwn(entries, id),
  );
  if (gone.length > 0) await removeSessionSecrets(session, gone);
}

async function createWrapping(
  places: SecretPlaces,
  mode: SecretMode,
  passphrase: string | undefined,
): Promise<{ wrapping: SecretRecord['wrapping']; key?: CryptoKey; bits?: string }> {
  if (mode === 'session') return { wrapping: { mode } };
  if (mode === 'device') return createDeviceWrapping(places);
  if (passphrase === undefined) throw new Error('This mode needs a passphrase.');
  const salt = createSalt();
  const bits = await deriveFromPassphrase(passphrase, salt, passphraseRounds);
  const key = await importWrappingKey(bits);
  const proof = await seal(key, proofBinding, proofText);
  return { wrapping: { mode, salt, rounds: passphraseRounds, proof }, key, bits };
}

interface OpenedKey {
  readonly origin: string;
  readonly apiKey: string | undefined;
}

async function openAll(
  { session }: SecretPlaces,
  { wrapping, entries }: SecretRecord,
  key: CryptoKey | undefined,
): Promise<{ connectionId: string; current: OpenedKey; following?: OpenedKey }[]> {
  const openOne = async (
    connectionId: string,
    { origin, sealed }: BoundKey,
  ): Promise<OpenedKey> => ({
    origin,
    apiKey:
      wrapping.mode === 'session'
        ? (await readSessionSecret(session, connectionId))?.apiKey
        : key && sealed && (await open(key, { connectionId, origin }, sealed)),
  });
  return Promise.all(
    Object.entries(entries).map(async ([connectionId, entry]) => ({
      connectionId,
      current: await openOne(connectionId, entry),
      ...(entry.next && { following: await openOne(connectionId, entry.next) }),
    })),
  );
}

/** Stores an opened key under the new wrapping; without a wrapping key it goes to session storage. */
async function rebind(
  { session }: SecretPlaces,
  key: CryptoKey | undefined,
  connectionId: string,
  { origin, apiKey }: OpenedKey,
): Promise<BoundKey> {
  if (apiKey === undefined) return { origin };
  if (key !== undefined)
    return { origin, sealed: await seal(key, { connectionId, origin }, apiKey) };
  await writeSessionSecret(session, connectionId, { origin, apiKey });
  return { origin };
}
