import * as v from 'valibot';

import type { StorageArea } from '#adapters/storage/storage-area';

const sessionEntry = v.strictObject({ origin: v.string(), apiKey: v.string() });
const unlocked = v.strictObject({ bits: v.string(), lockAt: v.number() });

/** A key in session-only mode: by design as it is, in memory, until the browser closes. */
export type SessionSecret = v.InferOutput<typeof sessionEntry>;
/** The wrapping key of an unlocked passphrase, 256 bits in base64, and when it locks, epoch milliseconds. */
export type Unlocked = v.InferOutput<typeof unlocked>;

const unlockedKey = 'secret-unlocked';
const sessionKeyOf = (connectionId: string): string => `secret-of:${connectionId}`;

export async function readUnlocked(area: StorageArea): Promise<Unlocked | undefined> {
  const read = v.safeParse(unlocked, (await area.get(unlockedKey))[unlockedKey]);
  return read.success ? read.output : undefined;
}

export async function writeUnlocked(area: StorageArea, value: Unlocked | undefined): Promise<void> {
  if (value === undefined) await area.remove(unlockedKey);
  else await area.set({ [unlockedKey]: value });
}

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
