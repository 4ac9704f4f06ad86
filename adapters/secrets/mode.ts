import { type Result, fail, succeed } from '#core/result';
import type { SecretFault, SecretMode } from '#core/connections/secret';
import { type SecretRecord, writeSecretRecord } from '#adapters/secrets/record';
import {
  type WatchedPlaces,
  bitsBehind,
  keepUnlocked,
  rewrap,
  unlockedBits,
  wrappingKeyOf,
} from '#adapters/secrets/wrapping';
import { importWrappingKey } from '#adapters/secrets/crypto';

/** Describes a change of the mode. While it is and stays `passphrase`, `newPassphrase` replaces `passphrase`. */
export interface ModeChange {
  readonly mode: SecretMode;
  readonly passphrase?: string;
  readonly newPassphrase?: string;
  readonly lockAfterMinutes?: number;
}

/** In UTF-16 units; the passphrase alone protects the keys of a stolen disk. */
const minPassphraseLength = 12;

/**
 * Changes how API keys are stored. Leaving the mode `passphrase` needs the passphrase even while unlocked, so that a passer-by
 * cannot remove it. Fails with `wrong-passphrase`, `locked` or `passphrase-too-short` (below 12 UTF-16 units).
 */
export async function changeMode(
  places: WatchedPlaces,
  present: SecretRecord,
  change: ModeChange,
): Promise<Result<SecretRecord, SecretFault>> {
  const { mode, lockAfterMinutes = present.lockAfterMinutes } = change;
  const { wrapping } = present;
  if (wrapping.mode === 'passphrase') {
    const onlyTimer = mode === 'passphrase' && change.newPassphrase === undefined;
    if (change.passphrase === undefined) {
      if ((await unlockedBits(places)) === undefined) return fail({ kind: 'locked' });
      if (!onlyTimer) return fail({ kind: 'wrong-passphrase' });
      return succeed(await setTimer(places, present, lockAfterMinutes));
    }
    const bits = await bitsBehind(change.passphrase, wrapping);
    if (bits === undefined) return fail({ kind: 'wrong-passphrase' });
    if (onlyTimer) {
      await keepUnlocked(places, bits, present);
      return succeed(await setTimer(places, present, lockAfterMinutes));
    }
    const tooShort = judge(mode, change.newPassphrase);
    if (tooShort) return fail(tooShort);
    const key = await importWrappingKey(bits);
    const passphrase = change.newPassphrase;
    return succeed(await rewrap(places, present, key, { mode, passphrase, lockAfterMinutes }));
  }
  if (mode === wrapping.mode) return succeed(await setTimer(places, present, lockAfterMinutes));
  const passphrase = change.passphrase ?? '';
  const tooShort = judge(mode, passphrase);
  if (tooShort) return fail(tooShort);
  const key = await wrappingKeyOf(places, present);
  return succeed(
    await rewrap(places, present, typeof key === 'string' ? undefined : key, {
      mode,
      passphrase,
      lockAfterMinutes,
    }),
  );
}

function judge(mode: SecretMode, passphrase = ''): SecretFault | undefined {
  return mode === 'passphrase' && passphrase.length < minPassphraseLength
    ? { kind: 'passphrase-too-short', least: minPassphraseLength }
    : undefined;
}

async function setTimer(
  places: WatchedPlaces,
  present: SecretRecord,
  lockAfterMinutes: number,
): Promise<SecretRecord> {
  const record = { ...present, lockAfterMinutes };
  await writeSecretRecord(places.local, record);
  const bits = await unlockedBits(places);
  if (bits !== undefined) await keepUnlocked(places, bits, record);
  return record;
}
