import { type Result, fail, succeed } from '#core/result';
import type { Fault } from '#core/seller/fault';
import type { SecretFault, SecretState } from '#core/connections/secret';
import { type SecretBinding, open, seal } from '#adapters/secrets/crypto';
import { type ModeChange, changeMode } from '#adapters/secrets/mode';
import {
  type SecretRecord,
  emptySecretRecord,
  readSecretRecord,
  removeSecretRecord,
  writeSecretRecord,
} from '#adapters/secrets/record';
import {
  readSessionSecret,
  readUnlocked,
  writeSessionSecret,
  writeUnlocked,
} from '#adapters/secrets/session';
import {
  type SecretPlaces,
  bitsBehind,
  createDeviceWrapping,
  keepUnlocked,
  removeUnneeded,
  unlockedBits,
  wrappingKeyOf,
} from '#adapters/secrets/wrapping';

type ReadSecretFault = Extract<Fault, { kind: 'locked' | 'no-key' }>;

/** The API keys. Whatever changes something is whole or not at all, even if the worker is stopped in the middle. */
export interface SecretStore {
  state(): Promise<SecretState>;
  /** Whether there is a key to ask with; while locked, whether there will be one. */
  has(binding: SecretBinding): Promise<boolean>;
  /** Counts as use, which puts off the lock. A key bound to another origin is not there. */
  read(binding: SecretBinding): Promise<Result<string, ReadSecretFault>>;
  write(
    binding: SecretBinding,
    apiKey: string,
  ): Promise<Result<undefined, { readonly kind: 'locked' | 'storage-full' }>>;
  /** Throws away the keys of all connections but these, and whatever a stopped change left behind. */
  keepOnly(connectionIds: readonly string[]): Promise<void>;
  setMode(change: ModeChange): Promise<Result<SecretState, SecretFault>>;
  unlock(passphrase: string): Promise<Result<SecretState, SecretFault>>;
  lock(): Promise<SecretState>;
  /** When an unlocked passphrase locks unless it is used meanwhile, epoch milliseconds. */
  locksAt(): Promise<number | undefined>;
  /** Throws every key away; the mode is `device` again. */
  reset(): Promise<SecretState>;
}

export function createSecretStore(places: SecretPlaces): SecretStore {
  const { local, session } = places;
  let last: Promise<unknown> = Promise.resolve();

  /** Storage has no transactions. There is one worker, so whatever reads or changes waits for its turn here. */
  function runExclusive<T>(task: (record: SecretRecord) => Promise<T>): Promise<T> {
    const turn = last.then(async () => task((await readSecretRecord(local)) ?? emptySecretRecord));
    last = turn.catch(() => undefined);
    return turn;
  }

  async function stateOf({ wrapping, lockAfterMinutes }: SecretRecord): Promise<SecretState> {
    const locked = wrapping.mode === 'passphrase' && (await unlockedBits(places)) === undefined;
    return { mode: wrapping.mode, locked, lockAfterMinutes };
  }

  return {
    state: () => runExclusive(stateOf),

    has: ({ connectionId, origin }) =>
      runExclusive(async (record) => {
        const entry = record.entries[connectionId];
        if (entry?.origin !== origin) return false;
        switch (record.wrapping.mode) {
          case 'session':
            return (await readSessionSecret(session, connectionId)) !== undefined;
          case 'device':
            return entry.sealed !== undefined && (await wrappingKeyOf(places, record)) !== 'lost';
          case 'passphrase':
            return entry.sealed !== undefined;
        }
      }),

    read: (binding) =>
      runExclusive(async (record) => {
        const entry = record.entries[binding.connectionId];
        if (entry === undefined) return fail({ kind: 'no-key', because: 'never-entered' });
        if (record.wrapping.mode === 'session') {
          const secret = await readSessionSecret(session, binding.connectionId);
          return secret?.origin === binding.origin
            ? succeed(secret.apiKey)
            : fail({ kind: 'no-key', because: 'session-ended' });
        }
        const key = await wrappingKeyOf(places, record);
        if (key === 'locked') return fail({ kind: 'locked' });
        const apiKey =
          key === 'lost' || entry.sealed === undefined
            ? undefined
            : await open(key, binding, entry.sealed);
        if (apiKey === undefined) return fail({ kind: 'no-key', because: 'material-lost' });
        await putOffLock(record);
        return succeed(apiKey);
      }),

    write: (binding, apiKey) =>
      runExclusive(async (record) => {
        const key = await wrappingKeyOf(places, record);
        if (key === 'locked') return fail({ kind: 'locked' });
        try {
          await add(record, key, binding, apiKey);
          return succeed(undefined);
        } catch {
          return fail({ kind: 'storage-full' });
        }
      }),

    keepOnly: (connectionIds) =>
      runExclusive(async (record) => {
        const kept = Object.entries(record.entries).filter(([id]) => connectionIds.includes(id));
        const next = { ...record, entries: Object.fromEntries(kept) };
        if (kept.length < Object.keys(record.entries).length) await writeSecretRecord(local, next);
        await removeUnneeded(places, next, record);
      }),

    setMode: (change) =>
      runExclusive(async (record) => {
        const changed = await changeMode(places, record, change);
        return changed.ok ? succeed(await stateOf(changed.value)) : changed;
      }),

    unlock: (passphrase) =>
      runExclusive(async (record) => {
        if (record.wrapping.mode !== 'passphrase') return succeed(await stateOf(record));
        const bits = await bitsBehind(passphrase, record.wrapping);
        if (bits === undefined) return fail({ kind: 'wrong-passphrase' });
        await keepUnlocked(places, bits, record);
        return succeed(await stateOf(record));
      }),

    lock: () =>
      runExclusive(async (record) => {
        await writeUnlocked(session, undefined);
        return stateOf(record);
      }),

    locksAt: async () => (await readUnlocked(session))?.lockAt,

    reset: () =>
      runExclusive(async (record) => {
        await removeSecretRecord(local);
        await writeUnlocked(session, undefined);
        await removeUnneeded(places, emptySecretRecord, record);
        return stateOf(emptySecretRecord);
      }),
  };

  async function putOffLock(record: SecretRecord): Promise<void> {
    if (record.wrapping.mode !== 'passphrase') return;
    const bits = await unlockedBits(places);
    if (bits !== undefined) await keepUnlocked(places, bits, record);
  }

  async function add(
    record: SecretRecord,
    key: CryptoKey | 'lost',
    binding: SecretBinding,
    apiKey: string,
  ): Promise<void> {
    const { connectionId, origin } = binding;
    if (record.wrapping.mode === 'session') {
      await writeSessionSecret(session, connectionId, { origin, apiKey });
      const entries = { ...record.entries, [connectionId]: { origin } };
      await writeSecretRecord(local, { ...record, entries });
      return;
    }
    // The first key of this device, or the wrapping key was lost: the old entries stay, and stay unreadable.
    const { key: sealing, wrapping } =
      key === 'lost' ? await createDeviceWrapping(places) : { key, wrapping: record.wrapping };
    const sealed = await seal(sealing, binding, apiKey);
    const entries = { ...record.entries, [connectionId]: { origin, sealed } };
    await writeSecretRecord(local, { ...record, wrapping, entries });
  }
}
