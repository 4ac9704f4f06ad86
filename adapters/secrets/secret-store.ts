import type { RecordSource } from '#adapters/storage/worker/index';
import { changeMode, type ModeChange } from '#adapters/secrets/key-storage-mode';
import { findKeyOf, stageKey } from '#adapters/secrets/staged-key';
import { removeUnneeded } from '#adapters/secrets/rewrap';
import { open, seal, type SecretBinding } from '#adapters/secrets/sealing';
import {
  emptySecretRecord,
  openSecretRecord,
  readSessionSecret,
  readUnlocked,
  removeSecretRecord,
  type Sealed,
  secretCodec,
  secretKeys,
  type SecretRecord,
  writeSecretRecord,
} from '#adapters/secrets/secret-record';
import {
  bitsBehind,
  forgetUnlocked,
  keepUnlocked,
  type KeyStores,
  unlockedBits,
  type WatchedKeyStores,
  wrappingKeyOf,
} from '#adapters/secrets/wrapping';
import type { SecretFault, SecretState } from '#core/connections/index';
import type { Fault } from '#core/marketplaces/index';
import { fail, type Result, succeed } from '#core/result';

type ReadSecretFault = Extract<Fault, { kind: 'locked' | 'no-key' }>;

export interface WriteSecretFault {
  readonly kind: 'locked' | 'storage-full' | 'key-storage-demanded';
}

/** The stored keys cannot be read by this version, so they are not in use. */
class KeysUnreadable extends Error {
  override name = 'KeysUnreadable';
}

/** Recognises `KeysUnreadable` by its name, because each of the worker's two scripts has its own copy of the class. */
export function isKeysUnreadable(error: unknown): boolean {
  return error instanceof Error && error.name === 'KeysUnreadable';
}

/** Stores the API keys. Every change is atomic, even if the worker is stopped during it. */
export interface SecretStore extends RecordSource {
  state(): Promise<SecretState>;
  /** Tells whether there is a usable key or, while locked, whether there will be one after unlocking. */
  has(binding: SecretBinding): Promise<boolean>;
  /**
   * Reads a key. This counts as use, which postpones the lock. A key bound to another address counts as lost, or as
   * ended with the session.
   */
  read(binding: SecretBinding): Promise<Result<string, ReadSecretFault>>;
  write(binding: SecretBinding, apiKey: string): Promise<Result<undefined, WriteSecretFault>>;
  /**
   * Stores a key together with what `commit` writes. Until that is written, the key of the connection's present address
   * is kept as well, so that a full disk in between does not cost the connection its key.
   * @param commit must not use this store
   */
  writeWith<T, F>(
    binding: SecretBinding,
    apiKey: string,
    commit: () => Promise<Result<T, F>>,
  ): Promise<Result<T, F | WriteSecretFault>>;
  /**
   * Encrypts checked codes with the key that encrypts the API keys; undefined while it is locked, and in session mode,
   * which has none. Does not count as use.
   */
  sealCodes(
    codes: readonly { readonly codeId: string; readonly code: string }[],
  ): Promise<readonly Sealed[] | undefined>;
  /** Decrypts a checked code. `no-key`: the way of storing keys has changed since. */
  openCode(codeId: string, sealed: Sealed): Promise<Result<string, ReadSecretFault>>;
  remove(connectionIds: readonly string[]): Promise<void>;
  /** Erases the keys of all other connections, and the remains of an interrupted change. */
  keepOnly(connectionIds: readonly string[]): Promise<void>;
  setMode(change: ModeChange): Promise<Result<SecretState, SecretFault>>;
  unlock(passphrase: string): Promise<Result<SecretState, SecretFault>>;
  lock(): Promise<SecretState>;
  /** Increases each time that keys are locked or deleted in any way. */
  lockGeneration(): number;
  /** When an unlocked passphrase locks if it is not used until then, epoch milliseconds. */
  locksAt(): Promise<number | undefined>;
  /** Deletes every key and returns to the mode `device`. */
  reset(): Promise<SecretState>;
}

export function createSecretStore(dependencies: KeyStores): SecretStore {
  const { local, session } = dependencies;
  const ownRecord = openSecretRecord(local);
  let lockGeneration = 0;
  const stores: WatchedKeyStores = {
    ...dependencies,
    onLock: () => {
      lockGeneration += 1;
    },
  };
  let last: Promise<unknown> = Promise.resolve();

  /** Runs tasks one after the other, because extension storage has no transactions. There is only one worker. */
  function runExclusive<T>(task: (record: SecretRecord) => Promise<T>): Promise<T> {
    const run = last.then(async () => task(await readRecord()));
    last = run.catch(() => undefined);
    return run;
  }

  /** @throws KeysUnreadable if a newer version wrote the record */
  async function readRecord(): Promise<SecretRecord> {
    const reading = secretCodec.read((await local.get(secretKeys.local))[secretKeys.local]);
    if (reading.kind === 'newer')
      throw new KeysUnreadable('A newer version of Counterfoil wrote the key record.');
    return reading.kind === 'readable' ? reading.record : emptySecretRecord;
  }

  async function stateOf({ wrapping, lockAfterMinutes }: SecretRecord): Promise<SecretState> {
    const locked = wrapping.mode === 'passphrase' && (await unlockedBits(stores)) === undefined;
    return { mode: wrapping.mode, locked, lockAfterMinutes };
  }

  return {
    unused: () => ownRecord.unused(),
    removeUnreadable: (isMeant) => ownRecord.removeUnreadable(isMeant),

    state: () => runExclusive(stateOf),

    has: (binding) => runExclusive((record) => hasKey(stores, record, binding)),

    read: (binding) =>
      runExclusive(async (record) => {
        const apiKey = await readKey(stores, record, binding);
        if (apiKey.ok) await putOffLock(record);
        return apiKey;
      }),

    sealCodes: (codes) =>
      runExclusive(async (record) => {
        const key = await wrappingKeyOf(stores, record);
        if (typeof key === 'string') return undefined;
        return Promise.all(codes.map(({ codeId, code }) => seal(key, { codeId }, code)));
      }),

    openCode: (codeId, sealed) =>
      runExclusive(async (record) => {
        const key = await wrappingKeyOf(stores, record);
        if (key === 'locked') return fail({ kind: 'locked' });
        const code = key === 'none' ? undefined : await open(key, { codeId }, sealed);
        return code === undefined
          ? fail({ kind: 'no-key', reason: 'material-lost' })
          : succeed(code);
      }),

    write: (binding, apiKey) =>
      writeWith(binding, apiKey, () => Promise.resolve(succeed(undefined))),

    writeWith,

    remove: (connectionIds) => keepEntries((id) => !connectionIds.includes(id)),
    keepOnly: (connectionIds) => keepEntries((id) => connectionIds.includes(id)),

    setMode: (change) =>
      runExclusive(async (record) => {
        const changed = await changeMode(stores, record, change).catch(async () => {
          await removeUnneeded(stores, record, record);
          return fail({ kind: 'storage-full' });
        });
        return changed.ok ? succeed(await stateOf(changed.value)) : changed;
      }),

    unlock: (passphrase) =>
      runExclusive(async (record) => {
        if (record.wrapping.mode !== 'passphrase') return succeed(await stateOf(record));
        const bits = await bitsBehind(passphrase, record.wrapping);
        if (bits === undefined) return fail({ kind: 'wrong-passphrase' });
        await keepUnlocked(stores, bits, record);
        return succeed(await stateOf(record));
      }),

    lock: () =>
      runExclusive(async (record) => {
        if (record.wrapping.mode === 'passphrase') await forgetUnlocked(stores);
        return stateOf(record);
      }),

    lockGeneration: () => lockGeneration,

    locksAt: async () => (await readUnlocked(session))?.lockAt,

    reset: () =>
      runExclusive(async (record) => {
        // A record that cannot be read stays.
        if (record !== emptySecretRecord) await removeSecretRecord(local);
        await forgetUnlocked(stores);
        await removeUnneeded(stores, emptySecretRecord, record);
        return stateOf(emptySecretRecord);
      }),
  };

  function keepEntries(isKept: (connectionId: string) => boolean): Promise<void> {
    return runExclusive(async (record) => {
      const all = Object.entries(record.entries);
      const kept = all.filter(([id]) => isKept(id));
      const next = { ...record, entries: Object.fromEntries(kept) };
      if (kept.length < all.length) await writeSecretRecord(local, next);
      await removeUnneeded(stores, next, record);
    });
  }

  async function putOffLock(record: SecretRecord): Promise<void> {
    if (record.wrapping.mode !== 'passphrase') return;
    const bits = await unlockedBits(stores);
    if (bits !== undefined) await keepUnlocked(stores, bits, record);
  }

  function writeWith<T, F>(
    binding: SecretBinding,
    apiKey: string,
    commit: () => Promise<Result<T, F>>,
  ): Promise<Result<T, F | WriteSecretFault>> {
    return runExclusive((record) => writeKey(stores, record, { binding, apiKey, commit }));
  }
}

interface KeyToWrite<T, F> {
  readonly binding: SecretBinding;
  readonly apiKey: string;
  readonly commit: () => Promise<Result<T, F>>;
}

async function writeKey<T, F>(
  stores: WatchedKeyStores,
  record: SecretRecord,
  { binding, apiKey, commit }: KeyToWrite<T, F>,
): Promise<Result<T, F | WriteSecretFault>> {
  const key = await wrappingKeyOf(stores, record);
  if (key === 'locked') return fail({ kind: 'locked' });
  const staged = await stageKey(stores, record, key, binding, apiKey).catch(() => undefined);
  if (staged === undefined) return fail({ kind: 'storage-full' });
  try {
    const committed = await commit();
    await (committed.ok ? staged.settle() : staged.undo()).catch(() => undefined);
    return committed;
  } catch (error) {
    await staged.undo().catch(() => undefined);
    throw error;
  }
}

async function hasKey(
  stores: WatchedKeyStores,
  record: SecretRecord,
  { connectionId, baseAddress }: SecretBinding,
): Promise<boolean> {
  const entry = findKeyOf(record.entries[connectionId], baseAddress);
  if (entry === undefined) return false;
  switch (record.wrapping.mode) {
    case 'session':
      return (await readSessionSecret(stores.session, connectionId)) !== undefined;
    case 'device':
      return entry.sealed !== undefined && (await wrappingKeyOf(stores, record)) !== 'none';
    case 'passphrase':
      return entry.sealed !== undefined;
  }
}

async function readKey(
  stores: WatchedKeyStores,
  record: SecretRecord,
  binding: SecretBinding,
): Promise<Result<string, ReadSecretFault>> {
  const { connectionId, baseAddress } = binding;
  const entry = record.entries[connectionId];
  if (entry === undefined) return fail({ kind: 'no-key', reason: 'never-entered' });
  if (record.wrapping.mode === 'session') {
    const secret = await readSessionSecret(stores.session, connectionId);
    return secret?.baseAddress === baseAddress
      ? succeed(secret.apiKey)
      : fail({ kind: 'no-key', reason: 'session-ended' });
  }
  const key = await wrappingKeyOf(stores, record);
  if (key === 'locked') return fail({ kind: 'locked' });
  const sealed = findKeyOf(entry, baseAddress)?.sealed;
  const apiKey =
    key === 'none' || sealed === undefined ? undefined : await open(key, binding, sealed);
  return apiKey === undefined ? fail({ kind: 'no-key', reason: 'material-lost' }) : succeed(apiKey);
}
