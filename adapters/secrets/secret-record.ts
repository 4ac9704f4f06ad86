import * as v from 'valibot';

import {
  createStoredSetting,
  defineRecordBySchema,
  type StorageArea,
  type StoredSetting,
} from '#adapters/storage/worker/index';
import { connectionFields } from '#core/connections/index';

const sealed = v.strictObject({ iv: v.string(), data: v.string() });

/** A 96-bit random nonce and the AES-256-GCM ciphertext with its 128-bit tag, both base64. */
export type Sealed = Readonly<v.InferOutput<typeof sealed>>;

const boundKey = v.strictObject({
  baseAddress: v.string(),
  /** Absent in session mode, where the key is in session storage, and if its wrapping key was lost. */
  sealed: v.exactOptional(sealed),
});

const entry = v.strictObject({
  ...boundKey.entries,
  /** The key for the connection's new address, until the connection itself is written. */
  next: v.exactOptional(boundKey),
});

const secretRecord = v.object({
  wrapping: v.variant('mode', [
    v.strictObject({ mode: v.literal('device'), keyId: v.string() }),
    v.strictObject({
      mode: v.literal('passphrase'),
      salt: v.string(),
      rounds: v.pipe(v.number(), v.integer(), v.minValue(1)),
      /** Distinguishes a wrong passphrase from a damaged entry, even if there is no entry yet. */
      proof: sealed,
    }),
    v.strictObject({ mode: v.literal('session') }),
  ]),
  lockAfterMinutes: v.pipe(v.number(), v.integer(), v.minValue(1)),
  entries: v.record(connectionFields.id, entry),
});

/**
 * Everything permanently stored about API keys, as ciphertext. It is one value under one storage key, so a change of
 * mode is one write and a crash leaves either the old or the new state.
 */
export type SecretRecord = v.InferOutput<typeof secretRecord>;

/** A key, or a placeholder for one, and what it is bound to. */
export type BoundKey = v.InferOutput<typeof boundKey>;

/** The key of one connection. */
export type SecretEntry = v.InferOutput<typeof entry>;

export const secretCodec = defineRecordBySchema(secretRecord);

const secretRecordKey = 'secrets';

/** The initial record: mode `device`, whose key is created with the first entry. */
export const emptySecretRecord: SecretRecord = {
  wrapping: { mode: 'device', keyId: '' },
  lockAfterMinutes: 15,
  entries: {},
};

/** Opens the record; an unreadable one counts as empty. */
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

/** An API key in session-only mode: unencrypted, in memory, until the browser closes. */
export type SessionSecret = v.InferOutput<typeof sessionEntry>;
/**
 * The wrapping key of an unlocked passphrase, 256 bits in base64; when it was last used and when it locks, epoch
 * milliseconds.
 */
type Unlocked = v.InferOutput<typeof unlocked>;

const unlockedKey = 'secret-unlocked';
/** The values that every check reads from both areas. */
export const secretKeys = { local: secretRecordKey, session: unlockedKey } as const;
const sessionKeyOf = (connectionId: string): string => `secret-of:${connectionId}`;

/** Reads the unlocked wrapping key; undefined if there is none or it cannot be read. */
export async function readUnlocked(area: StorageArea): Promise<Unlocked | undefined> {
  const read = v.safeParse(unlocked, (await area.get(unlockedKey))[unlockedKey]);
  return read.success ? read.output : undefined;
}

/** Writes the unlocked wrapping key; undefined removes it. */
export async function writeUnlocked(area: StorageArea, value: Unlocked | undefined): Promise<void> {
  if (value === undefined) await area.remove(unlockedKey);
  else await area.set({ [unlockedKey]: value });
}

/** Reads the session-only key of a connection; undefined if there is none or it cannot be read. */
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
