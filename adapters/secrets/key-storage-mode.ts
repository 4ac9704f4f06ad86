import { rewrap } from '#adapters/secrets/rewrap';
import { importWrappingKey } from '#adapters/secrets/sealing';
import { type SecretRecord, writeSecretRecord } from '#adapters/secrets/secret-record';
import {
  bitsBehind,
  keepUnlocked,
  type PassphraseWrapping,
  unlockedBits,
  type WatchedKeyStores,
  wrappingKeyOf,
} from '#adapters/secrets/wrapping';
import { minPassphraseLength, type SecretFault, type SecretMode } from '#core/connections/index';
import { fail, type Result, succeed } from '#core/result';

/** A change of the mode. If it was and stays `passphrase`, `newPassphrase` replaces `passphrase`. */
export interface ModeChange {
  readonly mode: SecretMode;
  readonly passphrase?: string;
  readonly newPassphrase?: string;
  readonly lockAfterMinutes?: number;
}

/**
 * Changes how API keys are stored. Leaving the mode `passphrase` needs the passphrase even while unlocked, so that
 * nobody passing by can remove it. Fails with `wrong-passphrase`, `locked` or `passphrase-too-short` (below 12 UTF-16
 * units).
 */
export async function changeMode(
  stores: WatchedKeyStores,
  present: SecretRecord,
  change: ModeChange,
): Promise<Result<SecretRecord, SecretFault>> {
  const { mode, passphrase = '', lockAfterMinutes = present.lockAfterMinutes } = change;
  if (present.wrapping.mode === 'passphrase')
    return changeFromPassphrase(stores, present, present.wrapping, change);
  if (mode === present.wrapping.mode)
    return succeed(await setTimer(stores, present, lockAfterMinutes));
  const tooShort = passphraseFault(mode, passphrase);
  if (tooShort) return fail(tooShort);
  const key = await wrappingKeyOf(stores, present);
  const next = { mode, passphrase, lockAfterMinutes };
  return succeed(await rewrap(stores, present, typeof key === 'string' ? undefined : key, next));
}

async function changeFromPassphrase(
  stores: WatchedKeyStores,
  present: SecretRecord,
  wrapping: PassphraseWrapping,
  { mode, passphrase, newPassphrase, lockAfterMinutes = present.lockAfterMinutes }: ModeChange,
): Promise<Result<SecretRecord, SecretFault>> {
  const onlyTimer = mode === 'passphrase' && newPassphrase === undefined;
  if (passphrase === undefined) {
    if ((await unlockedBits(stores)) === undefined) return fail({ kind: 'locked' });
    if (!onlyTimer) return fail({ kind: 'wrong-passphrase' });
    return succeed(await setTimer(stores, present, lockAfterMinutes));
  }
  const bits = await bitsBehind(passphrase, wrapping);
  if (bits === undefined) return fail({ kind: 'wrong-passphrase' });
  if (onlyTimer) {
    await keepUnlocked(stores, bits, present);
    return succeed(await setTimer(stores, present, lockAfterMinutes));
  }
  const tooShort = passphraseFault(mode, newPassphrase);
  if (tooShort) return fail(tooShort);
  const next = { mode, passphrase: newPassphrase, lockAfterMinutes };
  return succeed(await rewrap(stores, present, await importWrappingKey(bits), next));
}

function passphraseFault(mode: SecretMode, passphrase = ''): SecretFault | undefined {
  return mode === 'passphrase' && passphrase.length < minPassphraseLength
    ? { kind: 'passphrase-too-short', least: minPassphraseLength }
    : undefined;
}

async function setTimer(
  stores: WatchedKeyStores,
  present: SecretRecord,
  lockAfterMinutes: number,
): Promise<SecretRecord> {
  const record = { ...present, lockAfterMinutes };
  await writeSecretRecord(stores.local, record);
  const bits = await unlockedBits(stores);
  if (bits !== undefined) await keepUnlocked(stores, bits, record);
  return record;
}
