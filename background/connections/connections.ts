import type { Permissions } from '#adapters/browser/permissions';
import type { UserAgentRules } from '#adapters/http/user-agent-rule';
import type { SecretStore } from '#adapters/secrets/secret-store';
import type { Connection, Dialect, StoredConnection } from '#core/connections/connection';
import { type ConnectionStore, connectionOf } from '#adapters/storage/connection-store';
import type { OriginPermissions } from '#background/connections/origin-permissions';
import { createSaveConnection } from '#background/connections/saving';
import { createSoftDelete, isLive } from '#background/connections/soft-delete';
import { type AuthorizedAccess, bindingOf } from '#background/seller/access';
import { type SessionCache, sessionOwnerOf } from '#background/seller/session-cache';
import type { RunExclusive } from '#background/serial-queue';
import { originPattern } from '#core/connections/origin';
import { type Result, fail, succeed } from '#core/result';
import type { Fault } from '#core/marketplaces/fault';
import type { StorageFull } from '#core/storage-full';
import type { ConnectionDraft, ConnectionState, SaveFault } from '#messaging/topics/connections';

/** Stores a dialect that has confirmed a code; what was cached about pace and account goes on. */
type ProveDialect = (
  access: Pick<AuthorizedAccess, 'connection' | 'isLocked'>,
  dialect: Dialect,
) => Promise<Connection>;

interface Parts {
  readonly store: ConnectionStore;
  readonly secrets: SecretStore;
  readonly permissions: Permissions;
  readonly sessionCache: SessionCache;
  readonly rules: UserAgentRules;
  readonly runExclusive: RunExclusive;
  /** Returns the ids of keys that belong to the team and to no connection; undefined while that cannot be read. */
  readonly teamKeys: () => Promise<readonly string[] | undefined>;
  /** Deletes what was kept for a connection that is gone for good. */
  readonly forget: (connectionId: string) => Promise<void>;
  readonly originPermissions: OriginPermissions;
  /** Asks for `finalise` to be called at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Connections {
  /** Lists the connections that are not deleted. */
  list(): Promise<ConnectionState[]>;
  /** @param newId the id of a connection that is added; saving twice under one id adds once. */
  save(draft: ConnectionDraft, newId: string): Promise<Result<ConnectionState, SaveFault>>;
  delete(id: string): Promise<Result<{ undoUntil: number }, StorageFull>>;
  restore(id: string): Promise<Result<ConnectionState, Fault | StorageFull>>;
  /** Ids left out keep their order behind the others; unknown ones are passed over. */
  reorder(ids: readonly string[]): Promise<Result<ConnectionState[], StorageFull>>;
  setPlainUserAgent(id: string, on: boolean): Promise<Result<ConnectionState, Fault | StorageFull>>;
  readonly prove: ProveDialect;
  /** Makes the browser's User-Agent rules what the connections say. Returns false when the browser did not take them. */
  applyRules(): Promise<boolean>;
  /** Ends deletions that can no longer be undone: keys and origins that nothing else uses go with them. */
  finalise(): Promise<void>;
  /** Throws away keys that belong to no connection, as a worker stopped in mid-save can leave them. */
  tidy(): Promise<void>;
}

/**
 * Creates the list of connections and what depends on them. Every change of one gives it a new revision and forgets what was kept
 * under the old. A connection is saved whatever the browser allows: the prompt may close the page that asked.
 */
export function createConnections(parts: Parts): Connections {
  const { store, secrets, permissions, originPermissions, sessionCache, rules } = parts;
  const runExclusive = <T>(task: () => Promise<T>): Promise<T> =>
    parts.runExclusive('connections', task);
  const softDelete = createSoftDelete(parts);

  /** Describes a connection as pages see it: with a word on key and permission, and without the key. */
  async function stateOf(stored: StoredConnection): Promise<ConnectionState> {
    const [hasKey, permitted] = await Promise.all([
      secrets.has(bindingOf(stored)),
      permissions.has(originPattern(stored.baseAddress)),
    ]);
    return { ...connectionOf(stored), hasKey, permitted };
  }

  const list = async (): Promise<ConnectionState[]> =>
    Promise.all((await store.read()).filter(isLive).map(stateOf));

  const prove: ProveDialect = async ({ connection, isLocked }, { keyPlacement, encoding }) => {
    const { id, revision, dialect } = connection;
    const next = {
      ...connection,
      revision: revision + 1,
      dialect: { ...dialect, keyPlacement, encoding, proven: true },
    };
    const isProven =
      dialect.proven && dialect.keyPlacement === keyPlacement && dialect.encoding === encoding;
    if (isProven) return connection;
    const written = await store.change((all) =>
      all.map((one) => (one.id === id && one.revision === revision && isLive(one) ? next : one)),
    );
    if (!written.ok || !written.value.includes(next)) return connection;
    const [before, after] = [sessionOwnerOf(connection), sessionOwnerOf(next)];
    const pace = await sessionCache.read('pace', before);
    const account = await sessionCache.read('account', before);
    await sessionCache.forget(id);
    if (pace !== undefined) await sessionCache.write('pace', after, pace, isLocked);
    if (account !== undefined) await sessionCache.write('account', after, account, isLocked);
    return next;
  };

  async function applyRules(): Promise<boolean> {
    const all = await store.read();
    return rules.apply(all.filter((one) => isLive(one) && one.dialect.plainUserAgent));
  }

  /** Drops what was cached under the state before a change that was stored. */
  async function settle<T>(
    id: string,
    written: Result<T, StorageFull>,
  ): Promise<Result<T, StorageFull>> {
    if (!written.ok) return written;
    await sessionCache.forget(id);
    await applyRules();
    return written;
  }

  const save = createSaveConnection({ ...parts, applyRules });

  return {
    list,
    save: (draft, newId) =>
      runExclusive(async () => {
        const saved = await save(draft, newId);
        return saved.ok ? succeed(await stateOf(saved.value)) : saved;
      }),

    delete: (id) => runExclusive(async () => settle(id, await softDelete.delete(id))),

    restore: (id) =>
      runExclusive(async () => {
        const restored = await settle(id, await softDelete.restore(id));
        if (!restored.ok) return restored;
        return restored.value
          ? succeed(await stateOf(restored.value))
          : fail({ kind: 'no-connection' });
      }),

    reorder: (ids) =>
      runExclusive(async () => {
        const place = new Map(ids.map((id, index) => [id, index]));
        const positionOf = ({ id }: StoredConnection): number => place.get(id) ?? ids.length;
        const written = await store.change((all) =>
          all.toSorted((one, other) => positionOf(one) - positionOf(other)),
        );
        return written.ok ? succeed(await list()) : written;
      }),

    setPlainUserAgent: (id, plainUserAgent) =>
      runExclusive(async () => {
        const change = (one: StoredConnection): StoredConnection => ({
          ...one,
          revision: one.revision + 1,
          dialect: { ...one.dialect, plainUserAgent },
        });
        const written = await store.change((all) =>
          all.map((one) => (one.id === id ? change(one) : one)),
        );
        const settled = await settle(id, written);
        if (!settled.ok) return settled;
        const changed = settled.value.find((one) => one.id === id);
        return changed && isLive(changed)
          ? succeed(await stateOf(changed))
          : fail({ kind: 'no-connection' });
      }),

    prove,
    applyRules,

    finalise: () =>
      runExclusive(async () => {
        const gone = await softDelete.finalise(async ({ id }) => {
          await secrets.remove([id]);
          await parts.forget(id);
        });
        await originPermissions.giveUpUnused(gone.map(({ baseAddress }) => baseAddress));
      }),

    tidy: () =>
      runExclusive(async () => {
        const teamKeys = await parts.teamKeys();
        // A connection or a team that this version cannot read keeps its key.
        if (teamKeys === undefined || (await store.hasUnread())) return;
        await secrets.keepOnly([...(await store.read()).map(({ id }) => id), ...teamKeys]);
      }),
  };
}
