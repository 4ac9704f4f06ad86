import * as v from 'valibot';

import { connectionIdSchema } from '#core/connections/connection';
import { type StoredReading, defineForm } from '#adapters/storage/tables';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import type { StorageArea } from '#adapters/storage/storage-area';

const sealed = v.strictObject({ iv: v.string(), data: v.string() });

/** The address that a key is bound to, or its origin alone where an earlier version sealed the key. */
const boundTo = v.union([
  v.strictObject({ baseAddress: v.string() }),
  v.strictObject({ origin: v.string() }),
]);

const boundKey = v.strictObject({
  boundTo,
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
  entries: v.record(connectionIdSchema, entry),
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

export const secretForm = defineForm('secrets', parseWithSchema(secretRecord));
/** Names the record in extension storage. */
export const secretRecordKey = 'secrets';

/** Reads the record as it lies there, with the value it was read from; `undefined` when nothing was ever stored. */
export async function readSecretRecord(
  area: StorageArea,
): Promise<{ readonly reading: StoredReading<SecretRecord>; readonly value: unknown } | undefined> {
  const value = (await area.get(secretRecordKey))[secretRecordKey];
  return value === undefined ? undefined : { reading: secretForm.read(value), value };
}

export async function writeSecretRecord(area: StorageArea, record: SecretRecord): Promise<void> {
  await area.set({ [secretRecordKey]: secretForm.write(record) });
}

export async function removeSecretRecord(area: StorageArea): Promise<void> {
  await area.remove(secretRecordKey);
}

/** Gives the record before anything was chosen or stored: under a device key, which is made with the first entry. */
export const emptySecretRecord: SecretRecord = {
  wrapping: { mode: 'device', keyId: '' },
  lockAfterMinutes: 15,
  entries: {},
};
