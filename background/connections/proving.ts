import type { ConnectionStore } from '#adapters/storage/connection-store';
import { isLive } from '#background/connections/soft-delete';
import type { AuthorizedAccess } from '#background/seller/access';
import { type SessionCache, sessionOwnerOf } from '#background/seller/session-cache';
import type { Connection, Dialect } from '#core/connections/connection';

interface ProvingDependencies {
  readonly store: Pick<ConnectionStore, 'change'>;
  readonly sessionCache: SessionCache;
}

/** Stores a dialect that has confirmed a code; what was cached about pace and account goes on. */
export type ProveDialect = (
  access: Pick<AuthorizedAccess, 'connection' | 'isLocked'>,
  dialect: Dialect,
) => Promise<Connection>;

export function createProveDialect({ store, sessionCache }: ProvingDependencies): ProveDialect {
  return async ({ connection, isLocked }, { keyPlacement, encoding }) => {
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
}
