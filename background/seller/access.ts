import type { Permissions } from '#adapters/browser/permissions';
import type { SecretBinding, SecretStore } from '#adapters/secrets/index';
import type { RecordList, SessionCache } from '#adapters/storage/worker/index';
import type { Connection, StoredConnection } from '#core/connections/index';
import { originPattern } from '#core/address/index';
import { type Result, fail, succeed } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import type { Readers, SellerAccess } from '#core/marketplaces/asking';
import type { ItemId } from '#core/item-id';
import { isLive } from '#core/storage/index';

/** Within this time, in milliseconds, a page's request ends or turns into a countdown. */
const maxWorkMs = 20_000;

/** Returns the facts that an API key is bound to. */
export function bindingOf({
  id,
  baseAddress,
}: Pick<Connection, 'id' | 'baseAddress'>): SecretBinding {
  return { connectionId: id, baseAddress };
}

/** A `SellerAccess` that is valid until the keys are locked. */
export interface AuthorizedAccess extends SellerAccess {
  /** The item that a code should be for: it is tried first. */
  readonly expectedItemId?: ItemId;
  /** From this moment on, a search among items is interrupted to report its progress; epoch milliseconds. */
  readonly reportAfter?: number;
  /** A not-found leaves the key's state `unknown`, because a caller with many codes checks the key once per batch. */
  readonly provesKeyLater?: boolean;
  /** Tells whether the keys were locked since the key was read. If so, nothing more may be sent or stored. */
  readonly wasLocked: () => boolean;
}

/** Starts watching the lock. The returned function tells whether the keys were locked since then. */
export function watchLock(secrets: Pick<SecretStore, 'lockGeneration'>): () => boolean {
  const generation = secrets.lockGeneration();
  return () => secrets.lockGeneration() !== generation;
}

interface AccessDependencies {
  readonly connections: RecordList<StoredConnection>;
  readonly permissions: Permissions;
  readonly secrets: SecretStore;
  readonly sessionCache: SessionCache;
  readonly codeReaderOf: Readers['codeReaderOf'];
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface SellerAccessProvider {
  find(connectionId: string): Promise<Connection | undefined>;
  /**
   * Checks the browser's permission and reads the key. Faults: `no-connection`, `not-permitted`, `locked`, `no-key`.
   */
  authorize(connection: Connection | undefined): Promise<Result<AuthorizedAccess, Fault>>;
  authorizeById(connectionId: string): Promise<Result<AuthorizedAccess, Fault>>;
}

export function createSellerAccess(dependencies: AccessDependencies): SellerAccessProvider {
  const { connections, permissions, secrets, sessionCache, codeReaderOf, now } = dependencies;

  async function find(connectionId: string): Promise<Connection | undefined> {
    const all = await connections.read();
    return all.find((one) => one.id === connectionId && isLive(one));
  }

  async function authorize(
    connection: Connection | undefined,
  ): Promise<Result<AuthorizedAccess, Fault>> {
    if (connection === undefined) return fail({ kind: 'no-connection' });
    const deadline = now() + maxWorkMs;
    const wasLocked = watchLock(secrets);
    const [permitted, apiKey] = await Promise.all([
      permissions.has(originPattern(connection.baseAddress)),
      secrets.read(bindingOf(connection)),
    ]);
    if (!permitted)
      return fail({ kind: 'not-permitted', origin: new URL(connection.baseAddress).origin });
    const access = { connection, apiKey: '', deadline, wasLocked };
    if (!apiKey.ok) {
      const { fault } = apiKey;
      const wasNone = fault.kind === 'no-key' && fault.reason === 'never-entered';
      const { keyless } = codeReaderOf(connection);
      if (wasNone && connection.throughRelay !== true && keyless === true) return succeed(access);
      // The lock timer may have run out unnoticed, so everything cached with that key is discarded too.
      if (fault.kind === 'locked') await sessionCache.forget(undefined, true);
      return apiKey;
    }
    return succeed({ ...access, apiKey: apiKey.value });
  }

  return { find, authorize, authorizeById: async (id) => authorize(await find(id)) };
}
