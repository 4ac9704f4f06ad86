import * as v from 'valibot';

import { connectionIdSchema } from '#core/connections/connection-schema';
import type { StorageArea } from '#adapters/storage/storage-area';

const sealed = v.strictObject({ iv: v.string(), data: v.string() });

const entry = v.strictObject({
  /** The origin it is bound to. */
  origin: v.string(),
  /** Absent in session mode, where the key lies in session storage, and when what decrypts it was lost. */
  sealed: v.exactOptional(sealed),
});

const secretRecord = v.strictObject({
  version: v.literal(1),
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
 * All that is kept for good about API keys, as ciphertext. One value under one storage key: a change of mode is one
 * write, so a crash leaves either the old state or the new one.
 */
export type SecretRecord = v.InferOutput<typeof secretRecord>;

const key = 'secrets';

export async function readSecretRecord(area: StorageArea): Promise<SecretRecord | undefined> {
  const read = v.safeParse(secretRecord, (await area.get(key))[key]);
  return read.success ? read.output : undefined;
}

export async function writeSecretRecord(area: StorageArea, record: SecretRecord): Promise<void> {
  await area.set({ [key]: record });
}

export async function removeSecretRecord(area: StorageArea): Promise<void> {
  await area.remove(key);
}

/** Before anything was chosen or kept: under a device key, which is made with the first entry. */
export const emptySecretRecord: SecretRecord = {
  version: 1,
  wrapping: { mode: 'device', keyId: '' },
  lockAfterMinutes: 15,
  entries: {},
};
