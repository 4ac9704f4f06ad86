import type { SecretStore } from '#adapters/secrets/secret-store';
import { staysProven, type StoredConnection } from '#core/connections/connection';
import type { ConnectionStore } from '#adapters/storage/connection-store';
import type { OriginPermissions } from '#background/connections/origin-permissions';
import { isLive } from '#background/connections/soft-delete';
import { bindingOf } from '#background/seller/access';
import type { SessionCache } from '#background/seller/session-cache';
import { parseApiKey } from '#core/connections/api-key';
import { parseBaseAddress } from '#core/connections/base-address';
import { accountPlaceOf } from '#core/marketplaces/marketplace-id';
import { connectionBounds } from '#core/connections/connection-schema';
import { type Result, fail, succeed } from '#core/result';
import type { ConnectionDraft, SaveFault } from '#messaging/topics/connections';

interface SavingDependencies {
  readonly store: ConnectionStore;
  readonly secrets: Pick<SecretStore, 'has' | 'writeWith'>;
  readonly sessionCache: Pick<SessionCache, 'forget'>;
  readonly originPermissions: OriginPermissions;
  /** Makes the browser's User-Agent rules what the connections say. */
  readonly applyRules: () => Promise<unknown>;
}

/**
 * Saves a connection with its key: both or neither.
 * @param newId the id of a connection that is added; saving twice under one id adds once
 */
export type SaveConnection = (
  draft: ConnectionDraft,
  newId: string,
) => Promise<Result<StoredConnection, SaveFault>>;

export function createSaveConnection(dependencies: SavingDependencies): SaveConnection {
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
      return fail({ kind: 'storage-full' });

    const binding = bindingOf({ id, baseAddress });
    const apiKey = parseApiKey(draft.apiKey ?? '');
    if (!apiKey.ok && apiKey.fault.kind !== 'empty') return fail({ kind: 'bad-key' });
    if (!apiKey.ok) {
      const moved = present !== undefined && present.baseAddress !== baseAddress;
      if (moved && (await secrets.has(bindingOf(present)))) return fail({ kind: 'key-needed' });
    }

    // A check under way may prove the connection meanwhile, and no two states may share a revision.
    const savedOver = (before: StoredConnection | undefined): StoredConnection => ({
      // Another address is not the relay's.
      ...(before?.baseAddress === baseAddress && before.throughRelay && { throughRelay: true }),
      id,
      name: draft.name.trim(),
      baseAddress,
      ...accountPlaceOf(draft),
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
