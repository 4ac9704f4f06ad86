import type { SecretStore } from '#adapters/secrets/index';
import {
  accountLocation,
  connectionBounds,
  type ConnectionState,
  parseApiKey,
  staysProven,
  type StoredConnection,
} from '#core/connections/index';
import type { ConnectionsFeature } from '#background/connections/connections-handlers';
import type { OriginPermissions } from '#background/connections/origin-permissions';
import { createSoftDelete, deletableIn } from '#background/soft-delete';
import { isLive, type StorageFull } from '#core/storage/index';
import { bindingOf, type SellerFeature } from '#background/seller/index';
import type { RecordList, SessionCache } from '#adapters/storage/worker/index';
import type { RunExclusive } from '#background/serial-queue';
import { type Result, fail, succeed } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import type { Body, Refusal } from '#messaging/index';
import { parseBaseAddress } from '#core/address/index';

type ConnectionDraft = Body<'connections.save'>;
type SaveFault = Refusal<'connections.save'>;

interface SavingDependencies {
  readonly store: RecordList<StoredConnection>;
  readonly secrets: Pick<SecretStore, 'has' | 'writeWith'>;
  readonly sessionCache: Pick<SessionCache, 'forget'>;
  readonly originPermissions: OriginPermissions;
  /** Sets the browser's User-Agent rules to match the connections. */
  readonly applyRules: () => Promise<unknown>;
}

/**
 * Saves a connection and its key atomically.
 * @param newId the id of an added connection; saving twice with the same id adds it once
 */
type SaveConnection = (
  draft: ConnectionDraft,
  newId: string,
) => Promise<Result<StoredConnection, SaveFault>>;

function createSaveConnection(dependencies: SavingDependencies): SaveConnection {
  const { store, secrets, sessionCache, originPermissions, applyRules } = dependencies;

  return async (draft, newId) => {
    const address = parseBaseAddress(draft.baseAddress);
    if (!address.ok) return fail({ kind: 'bad-address' });
    const baseAddress = address.value.address;
    const all = await store.read();
    const id = draft.id ?? newId;
    const present = all.find((one) => one.id === id && isLive(one));
    if (draft.id !== undefined && present === undefined) return fail({ kind: 'no-connection' });
    if (present === undefined && all.length >= connectionBounds.connections)
      return fail({ kind: 'too-many' });

    const binding = bindingOf({ id, baseAddress });
    const apiKey = parseApiKey(draft.apiKey ?? '');
    if (!apiKey.ok && apiKey.fault.kind !== 'empty') return fail({ kind: 'bad-key' });
    if (!apiKey.ok) {
      const moved = present !== undefined && present.baseAddress !== baseAddress;
      if (moved && (await secrets.has(bindingOf(present)))) return fail({ kind: 'key-needed' });
    }

    // A running check may prove the connection in the meantime, and two states must not share a revision.
    const savedOver = (before: StoredConnection | undefined): StoredConnection => ({
      // A different address does not belong to the relay.
      ...(before?.baseAddress === baseAddress && before.throughRelay && { throughRelay: true }),
      id,
      name: draft.name.trim(),
      baseAddress,
      ...accountLocation(draft),
      revision: (before?.revision ?? 0) + 1,
      dialect: {
        ...draft.dialect,
        proven: staysProven(before, { ...draft, baseAddress }),
      },
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
    return succeed(saved);
  };
}

interface ConnectionsNeeds {
  readonly store: RecordList<StoredConnection>;
  readonly secrets: SecretStore;
  readonly sessionCache: SessionCache;
  readonly list: ConnectionsFeature['list'];
  readonly stateOf: ConnectionsFeature['stateOf'];
  readonly applyRules: SellerFeature['applyRules'];
  readonly runExclusive: RunExclusive;
  /** Returns the ids of keys that belong to the team rather than a connection; undefined if they cannot be read. */
  readonly teamKeys: () => Promise<readonly string[] | undefined>;
  /** Deletes everything stored for a permanently deleted connection. */
  readonly forget: (connectionId: string) => Promise<void>;
  readonly originPermissions: OriginPermissions;
  /** Asks for `finalise` to be called at a moment, epoch milliseconds. */
  readonly scheduleAlarm: (moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Connections {
  /** @param newId the id of an added connection; saving twice with the same id adds it once. */
  save(draft: ConnectionDraft, newId: string): Promise<Result<ConnectionState, SaveFault>>;
  delete(id: string): Promise<Result<{ undoUntil: number }, StorageFull>>;
  restore(id: string): Promise<Result<ConnectionState, Fault | StorageFull>>;
  /** Omitted ids follow in their present order; unknown ids are ignored. */
  reorder(ids: readonly string[]): Promise<Result<ConnectionState[], StorageFull>>;
  setPlainUserAgent(id: string, on: boolean): Promise<Result<ConnectionState, Fault | StorageFull>>;
  /** Completes deletions that can no longer be undone, and deletes keys and gives up origins that nothing else uses. */
  finalise(): Promise<void>;
  /** Deletes keys that belong to no connection, which a worker stopped during a save can leave. */
  tidy(): Promise<void>;
}

/**
 * Creates the list of connections. Every change of a connection gives it a new revision and discards what was cached
 * under the old one. A connection is saved whether or not the browser grants the permission, because the prompt may
 * close the page that asked.
 */
export function createConnections(needs: ConnectionsNeeds): Connections {
  const { store, secrets, originPermissions, sessionCache, list, stateOf, applyRules } = needs;
  const runExclusive = <T>(task: () => Promise<T>): Promise<T> =>
    needs.runExclusive('connections', task);
  const softDelete = createSoftDelete({ ...needs, store: deletableIn(store) });

  /** After a stored change, discards what was cached under the old state. */
  async function settle<T>(
    id: string,
    written: Result<T, StorageFull>,
  ): Promise<Result<T, StorageFull>> {
    if (!written.ok) return written;
    await sessionCache.forget(id, true);
    await applyRules();
    return written;
  }

  const save = createSaveConnection(needs);

  return {
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
        const orderOf = new Map(ids.map((id, index) => [id, index]));
        const positionOf = ({ id }: StoredConnection): number => orderOf.get(id) ?? ids.length;
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

    finalise: () =>
      runExclusive(async () => {
        const gone = await softDelete.finalise(async ({ id }) => {
          await secrets.remove([id]);
          await sessionCache.forget(id);
          await needs.forget(id);
        });
        await originPermissions.giveUpUnused(gone.map(({ baseAddress }) => baseAddress));
      }),

    tidy: () =>
      runExclusive(async () => {
        const teamKeys = await needs.teamKeys();
        const { unreadable, newer } = await store.unused();
        // A connection or a team that this version cannot read keeps its key.
        if (teamKeys === undefined || newer || unreadable.length > 0) return;
        await secrets.keepOnly([...(await store.read()).map(({ id }) => id), ...teamKeys]);
      }),
  };
}
