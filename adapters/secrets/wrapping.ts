import type { SecretMode } from '#core/connections/secret';
import { wasTurnedBack } from '#core/time/clock-drift';
import {
  type OriginBinding,
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
  /** Reads the base addresses of the connections, by id. */
  readonly baseAddresses: () => Promise<ReadonlyMap<string, string>>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Holds the places as the functions of the secret store use them. */
export interface WatchedPlaces extends SecretPlaces {
  /** Called before an unlocked passphrase is forgotten. */
  readonly onLock: () => void;
}

type PassphraseWrapping = Extract<SecretRecord['wrapping'], { mode: 'passphrase' }>;

const proofBinding: OriginBinding = { connectionId: '', origin: 'proof of the passphrase' };
const proofText = 'counterfoil';

/**
 * Returns the bits of an unlocked passphrase, base64; `undefined` while locked. Locks keys that have reached their time, and keys
 * that were used before the clock was turned back: they would stay unlocked for longer than was chosen.
 */
export async function unlockedBits(places: WatchedPlaces): Promise<string | undefined> {
  const unlocked = await readUnlocked(places.session);
  if (unlocked === undefined) return undefined;
  const now = places.now();
  if (now < unlocked.lockAt && !wasTurnedBack(unlocked.usedAt, now)) return unlocked.bits;
  await forgetUnlocked(places);
  return undefined;
}

export async function forgetUnlocked({ session, onLock }: WatchedPlaces): Promise<void> {
  onLock();
  await writeUnlocked(session, undefined);
}

export async function keepUnlocked(
  { session, now }: SecretPlaces,
  bits: string,
  { lockAfterMinutes }: SecretRecord,
): Promise<void> {
  const usedAt = now();
  await writeUnlocked(session, { bits, usedAt, lockAt: usedAt + lockAfterMinutes * 60_000 });
}

/** Returns the key that entries of this record are sealed under. `lost`: it is gone, or this mode has none. */
export async function wrappingKeyOf(
  places: WatchedPlaces,
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

/** Derives the bits of a passphrase, or `undefined` when it is not the one. */
export async function bitsBehind(
  passphrase: string,
  { salt, rounds, proof }: PassphraseWrapping,
): Promise<string | undefined> {
  const bits = await deriveFromPassphrase(passphrase, salt, rounds);
  const opened = await open(await importWrappingKey(bits), proofBinding, proof);
  return opened === proofText ? bits : undefined;
}

/** Makes a new wrapping key of this device and stores it before anything is sealed under it. */
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
  readonly boundTo: BoundKey['boundTo'];
  readonly apiKey: string | undefined;
}

async function openAll(
  { session }: SecretPlaces,
  { wrapping, entries }: SecretRecord,
  key: CryptoKey | undefined,
): Promise<{ connectionId: string; current: OpenedKey; following?: OpenedKey }[]> {
  const openOne = async (
    connectionId: string,
    { boundTo, sealed }: BoundKey,
  ): Promise<OpenedKey> => ({
    boundTo,
    apiKey:
      wrapping.mode === 'session'
        ? await readSessionKey(session, connectionId, boundTo)
        : key && sealed && (await open(key, { connectionId, ...boundTo }, sealed)),
  });
  return Promise.all(
    Object.entries(entries).map(async ([connectionId, entry]) => ({
      connectionId,
      current: await openOne(connectionId, entry),
      ...(entry.next && { following: await openOne(connectionId, entry.next) }),
    })),
  );
}

/** A worker that was stopped in the middle of a save leaves the key of another address. */
async function readSessionKey(
  session: StorageArea,
  connectionId: string,
  boundTo: BoundKey['boundTo'],
): Promise<string | undefined> {
  const secret = await readSessionSecret(session, connectionId);
  return 'baseAddress' in boundTo && secret?.baseAddress === boundTo.baseAddress
    ? secret.apiKey
    : undefined;
}

/** Stores an opened key under the new wrapping; without a wrapping key it goes to session storage. */
async function rebind(
  { session }: SecretPlaces,
  key: CryptoKey | undefined,
  connectionId: string,
  { boundTo, apiKey }: OpenedKey,
): Promise<BoundKey> {
  if (apiKey === undefined) return { boundTo };
  if (key !== undefined)
    return { boundTo, sealed: await seal(key, { connectionId, ...boundTo }, apiKey) };
  if ('baseAddress' in boundTo)
    await writeSessionSecret(session, connectionId, { ...boundTo, apiKey });
  return { boundTo };
}
