import * as v from 'valibot';

import type { StorageArea } from '#adapters/storage/storage-area';

const sessionEntry = v.strictObject({ baseAddress: v.string(), apiKey: v.string() });
const unlocked = v.strictObject({ bits: v.string(), usedAt: v.number(), lockAt: v.number() });

/** Holds an API key in session-only mode: unencrypted, in memory, until the browser closes. */
export type SessionSecret = v.InferOutput<typeof sessionEntry>;
/** Holds the wrapping key of an unlocked passphrase, 256 bits in base64, when it was used last and when it locks, epoch milliseconds. */
export type Unlocked = v.InferOutput<typeof unlocked>;

/** Names the unlocked wrapping key in session storage. */
export const unlockedKey = 'secret-unlocked';
const sessionKeyOf = (connectionId: string): string => `secret-of:${connectionId}`;

/** Reads the unlocked wrapping key; returns undefined when there is none or it cannot be read. */
export async function readUnlocked(area: StorageArea): Promise<Unlocked | undefined> {
  const read = v.safeParse(unlocked, (await area.get(unlockedKey))[unlockedKey]);
  return read.success ? read.output : undefined;
}

/** Writes the unlocked wrapping key; undefined removes it. */
export async function writeUnlocked(area: StorageArea, value: Unlocked | undefined): Promise<void> {
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

/** Writes the session-only key of a connection. */
export async function writeSessionSecret(
  area: StorageArea,
  connectionId: string,
  secret: SessionSecret,
): Promise<void> {
  await area.set({ [sessionKeyOf(connectionId)]: secret });
}

/** Removes the session-only keys of connections. */
export async function removeSessionSecrets(
  area: StorageArea,
  connectionIds: readonly string[],
): Promise<void> {
  await area.remove(connectionIds.map(sessionKeyOf));
}
