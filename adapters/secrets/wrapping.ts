import * as v from 'valibot';
import { connectionFields, type SecretMode } from '#core/connections/index';
import { wasTurnedBack } from '#core/time/units';
import {
  createStoredSetting,
  defineRecordBySchema,
  type StorageArea,
  type StoredSetting,
} from '#adapters/storage/worker/index';
import { createStore, del, get, keys, set } from 'idb-keyval';
import { decodeBase64, encodeBase64 } from '#core/text/base64';
import { omitUndefined } from '#core/result';

const sealed = v.strictObject({ iv: v.string(), data: v.string() });

/** Holds a 96-bit random nonce and the AES-256-GCM ciphertext with its 128-bit tag, both base64. */
export type Sealed = Readonly<v.InferOutput<typeof sealed>>;

const boundKey = v.strictObject({
  baseAddress: v.string(),
  /** Absent in session mode, where the key lies in session storage, and when what decrypts it was lost. */
  sealed: v.exactOptional(sealed),
});

const entry = v.strictObject({
  ...boundKey.entries,
  /** The key of the connection's next address, until the connection itself is written. */
  next: v.exactOptional(boundKey),
});

const secretRecord = v.object({
  wrapping: v.variant('mode', [
    v.strictObject({ mode: v.literal('device'), keyId: v.string() }),
    v.strictObject({
      mode: v.literal('passphrase'),
      salt: v.string(),
      rounds: v.pipe(v.number(), v.integer(), v.minValue(1)),
      /** Tells a wrong passphrase from a damaged entry, even before there is any entry. */
      proof: sealed,
    }),
    v.strictObject({ mode: v.literal('session') }),
  ]),
  lockAfterMinutes: v.pipe(v.number(), v.integer(), v.minValue(1)),
  entries: v.record(connectionFields.id, entry),
});

/**
 * Holds all that is stored for good about API keys, as ciphertext. One value under one storage key: a change of mode is
 * one write, so a crash leaves either the old state or the new one.
 */
export type SecretRecord = v.InferOutput<typeof secretRecord>;

/** Holds a key, or the place of one, and what it is bound to. */
export type BoundKey = v.InferOutput<typeof boundKey>;

/** Holds the key of one connection. */
export type SecretEntry = v.InferOutput<typeof entry>;

export const secretCodec = defineRecordBySchema(secretRecord);

const secretRecordKey = 'secrets';

/** Gives the record before anything was chosen or stored: under a device key, which is made with the first entry. */
export const emptySecretRecord: SecretRecord = {
  wrapping: { mode: 'device', keyId: '' },
  lockAfterMinutes: 15,
  entries: {},
};

/** Opens the record; one that cannot be read counts as empty. */
export function openSecretRecord(area: StorageArea): StoredSetting<SecretRecord> {
  const salvage = (): SecretRecord => emptySecretRecord;
  return createStoredSetting({ area, key: secretRecordKey, codec: secretCodec, salvage });
}

export async function writeSecretRecord(area: StorageArea, record: SecretRecord): Promise<void> {
  const written = await openSecretRecord(area).write(record);
  if (!written.ok) throw new Error('A newer version of Counterfoil wrote the key record.');
}

export async function removeSecretRecord(area: StorageArea): Promise<void> {
  await area.remove(secretRecordKey);
}

const sessionEntry = v.strictObject({ baseAddress: v.string(), apiKey: v.string() });
const unlocked = v.strictObject({ bits: v.string(), usedAt: v.number(), lockAt: v.number() });

/** Holds an API key in session-only mode: unencrypted, in memory, until the browser closes. */
type SessionSecret = v.InferOutput<typeof sessionEntry>;
/** Holds the wrapping key of an unlocked passphrase, 256 bits in base64, when it was used last and when it locks, epoch milliseconds. */
type Unlocked = v.InferOutput<typeof unlocked>;

const unlockedKey = 'secret-unlocked';
/** Names the values that every check reads from both areas. */
export const secretKeys = { local: secretRecordKey, session: unlockedKey } as const;
const sessionKeyOf = (connectionId: string): string => `secret-of:${connectionId}`;

/** Reads the unlocked wrapping key; returns undefined when there is none or it cannot be read. */
export async function readUnlocked(area: StorageArea): Promise<Unlocked | undefined> {
  const read = v.safeParse(unlocked, (await area.get(unlockedKey))[unlockedKey]);
  return read.success ? read.output : undefined;
}

/** Writes the unlocked wrapping key; undefined removes it. */
async function writeUnlocked(area: StorageArea, value: Unlocked | undefined): Promise<void> {
  if (value === undefined) await area.remove(unlockedKey);
  else await area.set({ [unlockedKey]: value });
}

/** Reads the session-only key of a connection; returns undefined when there is none or it cannot be read. */
export async function readSessionSecret(
  area: StorageArea,
  connectionId: string,
): Promise<SessionSecret | undefined> {
  const name = sessionKeyOf(connectionId);
  const read = v.safeParse(sessionEntry, (await area.get(name))[name]);
  return read.success ? read.output : undefined;
}

export async function writeSessionSecret(
  area: StorageArea,
  connectionId: string,
  secret: SessionSecret,
): Promise<void> {
  await area.set({ [sessionKeyOf(connectionId)]: secret });
}

export async function removeSessionSecrets(
  area: StorageArea,
  connectionIds: readonly string[],
): Promise<void> {
  await area.remove(connectionIds.map(sessionKeyOf));
}

/** Names what a ciphertext is bound to: a connection and its whole base address. */
export interface SecretBinding {
  readonly connectionId: string;
  /** Normalised by `parseBaseAddress`. */
  readonly baseAddress: string;
}

/** Names what the ciphertext of a checked code is bound to: the keyed digest of the code. */
interface CodeBinding {
  readonly codeId: string;
}

const proofBinding = 'passphrase-proof';

type Binding = SecretBinding | CodeBinding | typeof proofBinding;

/** Counts the PBKDF2-SHA-256 iterations for a new passphrase. */
const passphraseRounds = 600_000;

/** Creates a 256-bit AES-GCM key that cannot be exported. */
function createDeviceKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

/** Creates a salt of 128 random bits, base64. */
function createSalt(): string {
  return encodeBase64(crypto.getRandomValues(new Uint8Array(16)));
}

/**
 * Derives 256 bits, base64, from a passphrase by PBKDF2-SHA-256. Normalises it to NFC, so that it works on another keyboard or
 * system.
 */
async function deriveFromPassphrase(
  passphrase: string,
  salt: string,
  iterations: number,
): Promise<string> {
  const text = new TextEncoder().encode(passphrase.normalize('NFC'));
  const material = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: decodeBase64(salt), iterations },
    material,
    256,
  );
  return encodeBase64(new Uint8Array(bits));
}

/** Imports an AES-GCM key that cannot be exported. @param bits 256 bits, base64 */
export function importWrappingKey(bits: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', decodeBase64(bits), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
}

/** Encrypts text with AES-256-GCM and binds it to what it is for. */
export async function seal(key: CryptoKey, binding: Binding, text: string): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: additionalDataOf(binding) },
    key,
    new TextEncoder().encode(text),
  );
  return { iv: encodeBase64(iv), data: encodeBase64(new Uint8Array(data)) };
}

/** Decrypts text; returns undefined when the key or the binding differs or the data was changed. */
export async function open(
  key: CryptoKey,
  binding: Binding,
  { iv, data }: Sealed,
): Promise<string | undefined> {
  try {
    const text = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: decodeBase64(iv), additionalData: additionalDataOf(binding) },
      key,
      decodeBase64(data),
    );
    return new TextDecoder().decode(text);
  } catch {
    return undefined;
  }
}

function additionalDataOf(binding: Binding): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(partsOf(binding)));
}

function partsOf(binding: Binding): string[] {
  if (binding === proofBinding) return ['counterfoil/passphrase-proof/1'];
  if ('codeId' in binding) return ['counterfoil/checked-code/1', binding.codeId];
  return ['counterfoil/api-key/1', binding.connectionId, binding.baseAddress];
}

/** Stores wrapping keys that cannot be exported; only IndexedDB can store a `CryptoKey`. */
export interface WrappingKeys {
  /** Returns undefined when the key is gone, as after site data was cleared. */
  find(id: string): Promise<CryptoKey | undefined>;
  keep(id: string, key: CryptoKey): Promise<void>;
  /** Removes all keys except `id`; without it, all. */
  removeOthers(id: string | undefined): Promise<void>;
}

/** Creates the store of wrapping keys, which reads each key once. */
export function createWrappingKeys(
  store = createStore('counterfoil-keys', 'wrapping'),
): WrappingKeys {
  const known = new Map<string, CryptoKey>();
  return {
    async find(id) {
      const present = known.get(id);
      if (present !== undefined) return present;
      const key: unknown = await get(id, store);
      if (!(key instanceof CryptoKey)) return undefined;
      known.set(id, key);
      return key;
    },
    keep: (id, key) => set(id, key, store),
    async removeOthers(id) {
      known.clear();
      for (const other of await keys(store)) if (other !== id) await del(other, store);
    },
  };
}

export interface KeyStores {
  /** Ciphertext, for good. */
  readonly local: StorageArea;
  /** This area is emptied when the browser closes. */
  readonly session: StorageArea;
  readonly wrappingKeys: WrappingKeys;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface WatchedKeyStores extends KeyStores {
  /** Called before an unlocked passphrase is forgotten. */
  readonly onLock: () => void;
}

export type PassphraseWrapping = Extract<SecretRecord['wrapping'], { mode: 'passphrase' }>;

const proofText = 'counterfoil';

/**
 * Returns the bits of an unlocked passphrase, base64; `undefined` while locked. Locks keys that have reached their time, and keys
 * that were used before the clock was turned back: they would stay unlocked for longer than was chosen.
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

/** Returns the key that entries of this record are sealed under. `lost`: it is gone, or this mode has none. */
export async function wrappingKeyOf(
  stores: WatchedKeyStores,
  { wrapping }: SecretRecord,
): Promise<CryptoKey | 'locked' | 'lost'> {
  switch (wrapping.mode) {
    case 'device':
      return (await stores.wrappingKeys.find(wrapping.keyId)) ?? 'lost';
    case 'passphrase': {
      const bits = await unlockedBits(stores);
      return bits === undefined ? 'locked' : importWrappingKey(bits);
    }
    case 'session':
      return 'lost';
  }
}

/** Derives the bits of a passphrase; `undefined` if it is the wrong one. */
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
}: KeyStores): Promise<{ key: CryptoKey; wrapping: SecretRecord['wrapping'] }> {
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
 * A connection whose key cannot be opened any more stays without one, so that the agent is asked for it again.
 * @param key what the present entries are sealed under; `undefined` in session mode, or when it is lost.
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
  // Before the record is switched: bits of the old passphrase must never be taken for those of the new.
  await writeUnlocked(stores.session, undefined);
  await writeSecretRecord(stores.local, record);
  if (next.bits !== undefined) await keepUnlocked(stores, next.bits, record);
  await removeUnneeded(stores, record, present);
  return record;
}

/** Removes what only the record before this one needed, and whatever a stopped change left behind. */
export async function removeUnneeded(
  { local, session, wrappingKeys }: KeyStores,
  record: SecretRecord,
  before: SecretRecord,
): Promise<void> {
  const { wrapping, entries } = record;
  // A record that cannot be read may be sealed under any of them.
  if ((await openSecretRecord(local).unused()).unreadable.length === 0)
    await wrappingKeys.removeOthers(wrapping.mode === 'device' ? wrapping.keyId : undefined);
  const gone = Object.keys(before.entries).filter(
    (id) => wrapping.mode !== 'session' || !Object.hasOwn(entries, id),
  );
  if (gone.length > 0) await removeSessionSecrets(session, gone);
}

async function createWrapping(
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

/** A worker that was stopped in the middle of a save leaves the key of another address. */
async function readSessionKey(
  session: StorageArea,
  { connectionId, baseAddress }: SecretBinding,
): Promise<string | undefined> {
  const secret = await readSessionSecret(session, connectionId);
  return secret?.baseAddress === baseAddress ? secret.apiKey : undefined;
}

/** Stores an opened key under the new wrapping; without a wrapping key it goes to session storage. */
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
