import type { StorageArea } from '#adapters/storage/worker/index';
import type { SecretMode } from '#core/connections/index';
import { wasTurnedBack } from '#core/time/index';
import {
  createDeviceKey,
  createSalt,
  deriveFromPassphrase,
  importWrappingKey,
  open,
  passphraseRounds,
  proofBinding,
  seal,
} from '#adapters/secrets/sealing';
import { readUnlocked, type SecretRecord, writeUnlocked } from '#adapters/secrets/secret-record';
import type { WrappingKeys } from '#adapters/secrets/wrapping-keys';

export interface KeyStores {
  /** The permanent area; it has only ciphertext. */
  readonly local: StorageArea;
  /** This area is emptied when the browser closes. */
  readonly session: StorageArea;
  readonly wrappingKeys: WrappingKeys;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface WatchedKeyStores extends KeyStores {
  /** Called before an unlocked passphrase is discarded. */
  readonly onLock: () => void;
}

export type PassphraseWrapping = Extract<SecretRecord['wrapping'], { mode: 'passphrase' }>;

const proofText = 'counterfoil';

/**
 * Returns the bits of an unlocked passphrase in base64; `undefined` while locked. Locks keys that have timed out, and
 * keys that were used before the clock was turned back, since those would stay unlocked for longer than chosen.
 */
export async function unlockedBits(stores: WatchedKeyStores): Promise<string | undefined> {
  const unlocked = await readUnlocked(stores.session);
  if (unlocked === undefined) return undefined;
  const now = stores.now();
  if (now < unlocked.lockAt && !wasTurnedBack(unlocked.usedAt, now)) return unlocked.bits;
  await forgetUnlocked(stores);
  return undefined;
}

export async function forgetUnlocked({ session, onLock }: WatchedKeyStores): Promise<void> {
  onLock();
  await writeUnlocked(session, undefined);
}

export async function keepUnlocked(
  { session, now }: KeyStores,
  bits: string,
  { lockAfterMinutes }: SecretRecord,
): Promise<void> {
  const usedAt = now();
  await writeUnlocked(session, { bits, usedAt, lockAt: usedAt + lockAfterMinutes * 60_000 });
}

/**
 * Returns the key that encrypts the entries of this record. `none`: it was lost, or the keys are unencrypted in session
 * storage.
 */
export async function wrappingKeyOf(
  stores: WatchedKeyStores,
  { wrapping }: SecretRecord,
): Promise<CryptoKey | 'locked' | 'none'> {
  switch (wrapping.mode) {
    case 'device':
      return (await stores.wrappingKeys.find(wrapping.keyId)) ?? 'none';
    case 'passphrase': {
      const bits = await unlockedBits(stores);
      return bits === undefined ? 'locked' : importWrappingKey(bits);
    }
    case 'session':
      return 'none';
  }
}

/** Derives the bits of a passphrase; `undefined` if the passphrase is wrong. */
export async function bitsBehind(
  passphrase: string,
  { salt, rounds, proof }: PassphraseWrapping,
): Promise<string | undefined> {
  const bits = await deriveFromPassphrase(passphrase, salt, rounds);
  const opened = await open(await importWrappingKey(bits), proofBinding, proof);
  return opened === proofText ? bits : undefined;
}

/** Creates a new device wrapping key, and stores it before anything is encrypted with it. */
export async function createDeviceWrapping({
  wrappingKeys,
}: KeyStores): Promise<{ key: CryptoKey; wrapping: SecretRecord['wrapping'] }> {
  const key = await createDeviceKey();
  const keyId = crypto.randomUUID();
  await wrappingKeys.keep(keyId, key);
  return { key, wrapping: { mode: 'device', keyId } };
}

export async function createWrapping(
  stores: KeyStores,
  mode: SecretMode,
  passphrase: string | undefined,
): Promise<{ wrapping: SecretRecord['wrapping']; key?: CryptoKey; bits?: string }> {
  if (mode === 'session') return { wrapping: { mode } };
  if (mode === 'device') return createDeviceWrapping(stores);
  if (passphrase === undefined) throw new Error('This mode needs a passphrase.');
  const salt = createSalt();
  const bits = await deriveFromPassphrase(passphrase, salt, passphraseRounds);
  const key = await importWrappingKey(bits);
  const proof = await seal(key, proofBinding, proofText);
  return { wrapping: { mode, salt, rounds: passphraseRounds, proof }, key, bits };
}
