import { type Result, fail, succeed } from '#core/result';
import { parseApiKey } from '#core/connections/api-key';
import { parseBaseAddress } from '#core/connections/base-address';
import type { Connection, Dialect } from '#core/connections/connection';
import { connectionBounds } from '#core/connections/connection-schema';
import type { Fault } from '#core/seller/fault';
import { originPattern } from '#core/connections/origin';
import {
  type ConnectionStore,
  type StoredConnection,
  connectionOf,
} from '#adapters/storage/connection-store';
import type { Permissions } from '#adapters/browser/permissions';
import type { SecretStore } from '#adapters/secrets/secret-store';
import type { UserAgentRules } from '#adapters/http/user-agent-rule';
import type { ConnectionDraft, ConnectionState, SaveFault } from '#messaging/connections/protocol';
import type { OriginPermissions } from '#background/connections/origin-permissions';
import { bindingOf } from '#background/seller/access';
import { type SessionCache, sessionOwnerOf } from '#background/seller/session-cache';
import type { RunExclusive } from '#background/serial-queue';

/** How long a deletion can be undone. Browsers' alarms ring no sooner than this. */
const undoMs = 30_000;

interface Parts {
  readonly store: ConnectionStore;
  readonly secrets: SecretStore;
  readonly permissions: Permissions;
  readonly sessionCache: SessionCache;
  readonly rules: UserAgentRules;
  readonly runExclusive: RunExclusive;
  /** Deletes what was kept for a connection that is gone for good. */
  readonly forget: (connectionId: string) => Promise<void>;
  readonly originPermissions: OriginPermissions;
  /** Asks for `finalise` to be called at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Connections {
  list(): Promise<ConnectionState[]>;
  /** @param newId the id of a connection that is added; saving twice under one id adds once. */
  save(draft: ConnectionDraft, newId: string): Promise<Result<ConnectionState, SaveFault>>;
  delete(id: string): Promise<{ undoUntil: number }>;
  restore(id: string): Promise<Result<ConnectionState, Fault>>;
  /** Ids left out keep their order behind the others; unknown ones are passed over. */
  reorder(ids: readonly string[]): Promise<ConnectionState[]>;
  setPlainUserAgent(id: string, on: boolean): Promise<Result<ConnectionState, Fault>>;
  /** Remembers a dialect that has confirmed a code; what was kept about pace and account goes on. */
  prove(connection: Connection, dialect: Dialect): Promise<Connection>;
  /** Makes the browser's User-Agent rules what the connections say. */
  applyRules(): Promise<void>;
  /** Ends deletions that can no longer be undone: keys and origins that nothing else uses go with them. */
  finalise(): Promise<void>;
  /** Throws away keys that belong to no connection, as a worker stopped in mid-save can leave them. */
  tidy(): Promise<void>;
}

const isLive = ({ deletedUntil }: StoredConnection): boolean => deletedUntil === undefined;

/**
 * The connections and all that hangs on them. Every change of one gives it a new revision and forgets what was kept
 * under the old. A connection is saved whatever the browser allows: the prompt may close the page that asked.
 */
export function createConnections(parts: Parts): Connections {
  const { store, secrets, permissions, originPermissions, sessionCache, rules, now } = parts;
  const runExclusive = <T>(task: () => Promise<T>): Promise<T> =>
    parts.runExclusive('connections', task);

  async function stateOf(stored: StoredConnection): Promise<ConnectionState> {
    const [hasKey, permitted] = await Promise.all([
      secrets.has(bindingOf(stored)),
      permissions.has(originPattern(stored.baseAddress)),
    ]);
    return { ...connectionOf(stored), hasKey, permitted };
  }

  async function list(): Promise<ConnectionState[]> {
    return Promise.all((await store.read()).filter(isLive).map(stateOf));
  }

  async function applyRules(): Promise<void> {
    const all = await store.read();
    await rules.apply(all.filter((one) => isLive(one) && one.dialect.plainUserAgent));
  }

  /** Changes the one connection and what hangs on it; `undefined` when it is not there. */
  async function alter(
    id: string,
    change: (present: StoredConnection) => StoredConnection,
  ): Promise<StoredConnection | undefined> {
    const written = await store.change((all) =>
      all.map((one) => (one.id === id ? change(one) : one)),
    );
    if (!written.ok) throw new Error('There is no room for a change of one connection.');
    await sessionCache.forget(id);
    await applyRules();
    return written.value.find((one) => one.id === id);
  }

  async function save(
    draft: ConnectionDraft,
    newId: string,
  ): Promise<Result<ConnectionState, SaveFault>> {
    const address = parseBaseAddress(draft.baseAddress);
    if (!address.ok) return fail({ kind: 'bad-address' });
    const baseAddress = address.value.address;
    const all = await store.read();
    const id = draft.id ?? newId;
    const present = all.find((one) => one.id === id && isLive(one));
    if (draft.id !== undefined && present === undefined) return fail({ kind: 'no-connection' });
    if (present === undefined && all.length >= connectionBounds.connections)
      return fail({ kind: 'storage-full' });

    const binding = bindingOf({ id, baseAddress });
    const apiKey = parseApiKey(draft.apiKey ?? '');
    if (!apiKey.ok && apiKey.fault.kind !== 'empty') return fail({ kind: 'bad-key' });
    if (!apiKey.ok) {
      const moved = present !== undefined && bindingOf(present).origin !== binding.origin;
      if (moved && (await secrets.has(bindingOf(present)))) return fail({ kind: 'key-needed' });
    }

    // A check under way may prove the connection meanwhile, and no two states may share a revision.
    const savedOver = (before: StoredConnection | undefined): StoredConnection => ({
      id,
      name: draft.name.trim(),
      baseAddress,
      revision: (before?.revision ?? 0) + 1,
      dialect: { ...draft.dialect, proven: staysProven(before, draft.dialect, baseAddress) },
    });
    const write = () =>
      store.change((before) =>
        before.some((one) => one.id === id)
          ? before.map((one) => (one.id === id ? savedOver(one) : one))
          : [...before, savedOver(undefined)],
      );
    const written = apiKey.ok
      ? await secrets.writeWith(binding, apiKey.value, write)
      : await write();
    if (!written.ok) return written;
    await sessionCache.forget(id);
    await applyRules();
    if (present) await originPermissions.giveUpUnused([present.baseAddress]);
    const saved = written.value.find((one) => one.id === id) ?? savedOver(present);
    return succeed(await stateOf(saved));
  }

  return {
    list,
    save: (draft, newId) => runExclusive(() => save(draft, newId)),

    delete: (id) =>
      runExclusive(async () => {
        const undoUntil = now() + undoMs;
        const deleted = await alter(id, (one) => ({ deletedUntil: undoUntil, ...one }));
        if (deleted === undefined) return { undoUntil: now() };
        await parts.scheduleAlarm(undoUntil);
        return { undoUntil: deleted.deletedUntil ?? undoUntil };
      }),

    restore: (id) =>
      runExclusive(async () => {
        const moment = now();
        const restored = await alter(id, (one) =>
          one.deletedUntil !== undefined && moment < one.deletedUntil ? connectionOf(one) : one,
        );
        return restored && isLive(restored)
          ? succeed(await stateOf(restored))
          : fail({ kind: 'no-connection' });
      }),

    reorder: (ids) =>
      runExclusive(async () => {
        const place = new Map(ids.map((id, index) => [id, index]));
        const positionOf = ({ id }: StoredConnection): number => place.get(id) ?? ids.length;
        await store.change((all) =>
          all.toSorted((one, other) => positionOf(one) - positionOf(other)),
        );
        return list();
      }),

    setPlainUserAgent: (id, plainUserAgent) =>
      runExclusive(async () => {
        const changed = await alter(id, (one) => ({
          ...one,
          revision: one.revision + 1,
          dialect: { ...one.dialect, plainUserAgent },
        }));
        return changed && isLive(changed)
          ? succeed(await stateOf(changed))
          : fail({ kind: 'no-connection' });
      }),

    async prove(connection, { keyPlacement, encoding }) {
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
      if (pace !== undefined) await sessionCache.write('pace', after, pace);
      if (account !== undefined) await sessionCache.write('account', after, account);
      return next;
    },

    applyRules,

    finalise: () =>
      runExclusive(async () => {
        const moment = now();
        const all = await store.read();
        const isOver = ({ deletedUntil }: StoredConnection): boolean =>
          deletedUntil !== undefined && moment >= deletedUntil;
        const gone = all.filter(isOver);
        const left = all.filter((one) => !isOver(one));
        if (gone.length > 0) {
          await store.change((present) => present.filter((one) => !isOver(one)));
          await secrets.remove(gone.map(({ id }) => id));
          await originPermissions.giveUpUnused(gone.map(({ baseAddress }) => baseAddress));
          for (const { id } of gone) await parts.forget(id);
        }
        const pending = left.flatMap(({ deletedUntil }) => deletedUntil ?? []);
        if (pending.length > 0) await parts.scheduleAlarm(Math.min(...pending));
      }),

    tidy: () =>
      runExclusive(async () => {
        // A connection that this version cannot read keeps its key.
        if (!(await store.hasUnread()))
          await secrets.keepOnly((await store.read()).map(({ id }) => id));
      }),
  };
}

/** What was proven was this placement and encoding at this address; a page's word does not count. */
function staysProven(
  present: StoredConnection | undefined,
  { keyPlacement, encoding }: Dialect,
  baseAddress: string,
): boolean {
  return (
    present?.dialect.proven === true &&
    present.baseAddress === baseAddress &&
    present.dialect.keyPlacement === keyPlacement &&
    present.dialect.encoding === encoding
  );
}
