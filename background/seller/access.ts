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

/** A page's request ends, or turns into a countdown, within this time. */
const maxWorkMs = 20_000;

/** Returns what an API key is bound to. */
export function bindingOf({
  id,
  baseAddress,
}: Pick<Connection, 'id' | 'baseAddress'>): SecretBinding {
  return { connectionId: id, baseAddress };
}

/** A `SellerAccess` that is valid until the keys are locked. */
export interface AuthorizedAccess extends SellerAccess {
  /** The item that a code should be for: it is asked about first. */
  readonly expectedItemId?: ItemId;
  /** A search among items is interrupted from this moment on, to tell how far it is; epoch milliseconds. */
  readonly reportAfter?: number;
  /**
   * A not-found leaves the state of its key `unknown`: a caller with many codes checks the key once for a batch of
   * them.
   */
  readonly provesKeyLater?: boolean;
  /** Tells whether the keys were locked since the key was read: nothing may be sent or stored any more. */
  readonly wasLocked: () => boolean;
}

/** Starts to watch the lock. The returned function tells whether the keys were locked since. */
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
      // The lock timer may have run out unnoticed: what was cached under that key goes with it.
      if (fault.kind === 'locked') await sessionCache.forget();
      return apiKey;
    }
    return succeed({ ...access, apiKey: apiKey.value });
  }

  return { find, authorize, authorizeById: async (id) => authorize(await find(id)) };
}
