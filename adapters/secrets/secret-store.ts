import { type Result, fail, succeed } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import type { RecordSource } from '#adapters/storage/worker/index';
import type { SecretFault, SecretMode, SecretState } from '#core/connections/index';
import {
  type SecretEntry,
  type SecretRecord,
  emptySecretRecord,
  openSecretRecord,
  secretCodec,
  secretKeys,
  removeSecretRecord,
  writeSecretRecord,
  type BoundKey,
  type Sealed,
  type SecretBinding,
  open,
  seal,
  type KeyStores,
  type WatchedKeyStores,
  bitsBehind,
  createDeviceWrapping,
  forgetUnlocked,
  keepUnlocked,
  removeUnneeded,
  unlockedBits,
  wrappingKeyOf,
  rewrap,
  importWrappingKey,
  readSessionSecret,
  readUnlocked,
  removeSessionSecrets,
  writeSessionSecret,
} from '#adapters/secrets/wrapping';

function isBoundTo(key: BoundKey, baseAddress: string): boolean {
  return key.baseAddress === baseAddress;
}

/** Finds the key of an address: that of the present one, or that of the next. */
function findKeyOf(entry: SecretEntry | undefined, baseAddress: string): BoundKey | undefined {
  return [entry, entry?.next].find((key) => key !== undefined && isBoundTo(key, baseAddress));
}

/** Describes a change of the mode. While it is and stays `passphrase`, `newPassphrase` replaces `passphrase`. */
interface ModeChange {
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
async function changeMode(
  places: WatchedKeyStores,
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
  places: WatchedKeyStores,
  present: SecretRecord,
  lockAfterMinutes: number,
): Promise<SecretRecord> {
  const record = { ...present, lockAfterMinutes };
  await writeSecretRecord(places.local, record);
  const bits = await unlockedBits(places);
  if (bits !== undefined) await keepUnlocked(places, bits, record);
  return record;
}

type ReadSecretFault = Extract<Fault, { kind: 'locked' | 'no-key' }>;

export interface WriteSecretFault {
  readonly kind: 'locked' | 'storage-full' | 'key-storage-demanded';
}

/** Reports that the stored keys cannot be read by this version, so that they are not in use. */
class KeysUnreadable extends Error {
  override name = 'KeysUnreadable';
}

/** Recognises it by its name, since each of the worker's two scripts has its own copy of the class. */
export function isKeysUnreadable(error: unknown): boolean {
  return error instanceof Error && error.name === 'KeysUnreadable';
}

/**
 * Keeps the API keys. Whatever changes something is whole or not at all, even if the worker is stopped in the middle.
 */
export interface SecretStore extends RecordSource {
  state(): Promise<SecretState>;
  /** Tells whether there is a key to ask with; while locked, whether there will be one. */
  has(binding: SecretBinding): Promise<boolean>;
  /** Counts as use, which puts off the lock. A key bound to another address is not there. */
  read(binding: SecretBinding): Promise<Result<string, ReadSecretFault>>;
  write(binding: SecretBinding, apiKey: string): Promise<Result<undefined, WriteSecretFault>>;
  /**
   * Stores a key together with what `commit` writes. Until that is written, the key of the connection's present address
   * stays beside the new one, so that a full disk in between leaves no connection without its key.
   * @param commit must not use this store
   */
  writeWith<T, F>(
    binding: SecretBinding,
    apiKey: string,
    commit: () => Promise<Result<T, F>>,
  ): Promise<Result<T, F | WriteSecretFault>>;
  /**
   * Encrypts checked codes under the key of the API keys; undefined while it is locked, and in session mode, which has none. Does not
   * count as use.
   */
  sealCodes(
    codes: readonly { readonly codeId: string; readonly code: string }[],
  ): Promise<readonly Sealed[] | undefined>;
  /** Decrypts a checked code. `no-key`: how keys are stored has changed since. */
  openCode(codeId: string, sealed: Sealed): Promise<Result<string, ReadSecretFault>>;
  /** Erases the keys of these connections. */
  remove(connectionIds: readonly string[]): Promise<void>;
  /** Erases the keys of all connections but these, and whatever a stopped change left behind. */
  keepOnly(connectionIds: readonly string[]): Promise<void>;
  setMode(change: ModeChange): Promise<Result<SecretState, SecretFault>>;
  unlock(passphrase: string): Promise<Result<SecretState, SecretFault>>;
  lock(): Promise<SecretState>;
  /** Increases each time that keys are locked or thrown away, by whatever way. */
  lockGeneration(): number;
  /** When an unlocked passphrase locks unless it is used meanwhile, epoch milliseconds. */
  locksAt(): Promise<number | undefined>;
  /** Throws every key away; the mode is `device` again. */
  reset(): Promise<SecretState>;
}

export function createSecretStore(dependencies: KeyStores): SecretStore {
  const { local, session } = dependencies;
  const ownRecord = openSecretRecord(local);
  let lockGeneration = 0;
  const places: WatchedKeyStores = {
    ...dependencies,
    onLock: () => {
      lockGeneration += 1;
    },
  };
  let last: Promise<unknown> = Promise.resolve();

  /** Runs tasks one after the other: extension storage has no transactions, and there is one worker. */
  function runExclusive<T>(task: (record: SecretRecord) => Promise<T>): Promise<T> {
    const run = last.then(async () => task(await readRecord()));
    last = run.catch(() => undefined);
    return run;
  }

  /** @throws KeysUnreadable when a newer version wrote the record */
  async function readRecord(): Promise<SecretRecord> {
    const reading = secretCodec.read((await local.get(secretKeys.local))[secretKeys.local]);
    if (reading.kind === 'newer')
      throw new KeysUnreadable('A newer version of Counterfoil wrote the key record.');
    return reading.kind === 'readable' ? reading.record : emptySecretRecord;
  }

  async function stateOf({ wrapping, lockAfterMinutes }: SecretRecord): Promise<SecretState> {
    const locked = wrapping.mode === 'passphrase' && (await unlockedBits(places)) === undefined;
    return { mode: wrapping.mode, locked, lockAfterMinutes };
  }

  return {
    unused: () => ownRecord.unused(),
    removeUnreadable: (isMeant) => ownRecord.removeUnreadable(isMeant),

    state: () => runExclusive(stateOf),

    has: ({ connectionId, baseAddress }) =>
      runExclusive(async (record) => {
        const entry = findKeyOf(record.entries[connectionId], baseAddress);
        if (entry === undefined) return false;
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
        const present = record.entries[binding.connectionId];
        if (present === undefined) return fail({ kind: 'no-key', because: 'never-entered' });
        if (record.wrapping.mode === 'session') {
          const secret = await readSessionSecret(session, binding.connectionId);
          return secret?.baseAddress === binding.baseAddress
            ? succeed(secret.apiKey)
            : fail({ kind: 'no-key', because: 'session-ended' });
        }
        const key = await wrappingKeyOf(places, record);
        if (key === 'locked') return fail({ kind: 'locked' });
        const sealed = findKeyOf(present, binding.baseAddress)?.sealed;
        const apiKey =
          key === 'lost' || sealed === undefined ? undefined : await open(key, binding, sealed);
        if (apiKey === undefined) return fail({ kind: 'no-key', because: 'material-lost' });
        await putOffLock(record);
        return succeed(apiKey);
      }),

    sealCodes: (codes) =>
      runExclusive(async (record) => {
        const key = await wrappingKeyOf(places, record);
        if (typeof key === 'string') return undefined;
        return Promise.all(codes.map(({ codeId, code }) => seal(key, { codeId }, code)));
      }),

    openCode: (codeId, sealed) =>
      runExclusive(async (record) => {
        const key = await wrappingKeyOf(places, record);
        if (key === 'locked') return fail({ kind: 'locked' });
        const code = key === 'lost' ? undefined : await open(key, { codeId }, sealed);
        return code === undefined
          ? fail({ kind: 'no-key', because: 'material-lost' })
          : succeed(code);
      }),

    write: (binding, apiKey) =>
      writeWith(binding, apiKey, () => Promise.resolve(succeed(undefined))),

    writeWith,

    remove: (connectionIds) =>
      runExclusive(async (record) => {
        const entries = Object.fromEntries(
          Object.entries(record.entries).filter(([id]) => !connectionIds.includes(id)),
        );
        const next = { ...record, entries };
        await writeSecretRecord(local, next);
        await removeUnneeded(places, next, record);
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
        if (record.wrapping.mode === 'passphrase') await forgetUnlocked(places);
        return stateOf(record);
      }),

    lockGeneration: () => lockGeneration,

    locksAt: async () => (await readUnlocked(session))?.lockAt,

    reset: () =>
      runExclusive(async (record) => {
        // A record that cannot be read stays.
        if (record !== emptySecretRecord) await removeSecretRecord(local);
        await forgetUnlocked(places);
        await removeUnneeded(places, emptySecretRecord, record);
        return stateOf(emptySecretRecord);
      }),
  };

  async function putOffLock(record: SecretRecord): Promise<void> {
    if (record.wrapping.mode !== 'passphrase') return;
    const bits = await unlockedBits(places);
    if (bits !== undefined) await keepUnlocked(places, bits, record);
  }

  function writeWith<T, F>(
    binding: SecretBinding,
    apiKey: string,
    commit: () => Promise<Result<T, F>>,
  ): Promise<Result<T, F | WriteSecretFault>> {
    return runExclusive<Result<T, F | WriteSecretFault>>(async (record) => {
      const key = await wrappingKeyOf(places, record);
      if (key === 'locked') return fail({ kind: 'locked' });
      let staged: StagedKey;
      try {
        staged = await stageKey(places, record, key, binding, apiKey);
      } catch {
        return fail({ kind: 'storage-full' });
      }
      try {
        const committed = await commit();
        await (committed.ok ? staged.settle() : staged.undo()).catch(() => undefined);
        return committed;
      } catch (error) {
        await staged.undo().catch(() => undefined);
        throw error;
      }
    });
  }
}

interface StagedKey {
  /** Leaves the new key alone. */
  readonly settle: () => Promise<void>;
  /** Puts back what was there. */
  readonly undo: () => Promise<void>;
}

/** Writes the new key beside the key of another address, or in the place of one of the same address. */
async function stageKey(
  places: WatchedKeyStores,
  record: SecretRecord,
  key: CryptoKey | 'lost',
  binding: SecretBinding,
  apiKey: string,
): Promise<StagedKey> {
  const { local, session } = places;
  const { connectionId, baseAddress } = binding;
  const present = record.entries[connectionId];
  if (record.wrapping.mode === 'session') {
    const before = await readSessionSecret(session, connectionId);
    const entries = { ...record.entries, [connectionId]: { baseAddress } };
    await writeSecretRecord(local, { ...record, entries });
    await writeSessionSecret(session, connectionId, { baseAddress, apiKey });
    return {
      settle: () => Promise.resolve(),
      undo: async () => {
        if (before === undefined) await removeSessionSecrets(session, [connectionId]);
        else await writeSessionSecret(session, connectionId, before);
        await writeSecretRecord(local, record);
      },
    };
  }
  // The first key of this device, or the wrapping key was lost: the old entries stay, and stay unreadable.
  const { key: sealing, wrapping } =
    key === 'lost' ? await createDeviceWrapping(places) : { key, wrapping: record.wrapping };
  const bound = { baseAddress, sealed: await seal(sealing, binding, apiKey) };
  const withEntry = (entry: SecretEntry): SecretRecord => ({
    ...record,
    wrapping,
    entries: { ...record.entries, [connectionId]: entry },
  });
  const isMoved = present !== undefined && !isBoundTo(present, baseAddress);
  await writeSecretRecord(local, withEntry(isMoved ? { ...present, next: bound } : bound));
  return {
    settle: async () => {
      if (isMoved) await writeSecretRecord(local, withEntry(bound));
    },
    undo: () => writeSecretRecord(local, record),
  };
}
