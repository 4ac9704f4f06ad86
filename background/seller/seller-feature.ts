import type { WorkerContext } from '#background/dependencies';
import { isLive } from '#core/storage/index';
import {
  type AuthorizedAccess,
  type SellerAccessProvider,
  createSellerAccess,
} from '#background/seller/access';
import { type Accounts, createAccounts } from '#background/seller/accounts';
import {
  createInteractivePriority,
  type InteractivePriority,
} from '#background/seller/interactive-priority';
import { createSearchMemory } from '#background/seller/search-memory';
import { createSellerItems } from '#background/seller/seller-items';
import { type SellerClient, createSellerClient } from '#background/seller/seller-client';
import { paceOwnerOf } from '#background/seller/pacing';
import { type Validation, createValidation } from '#background/seller/validation';
import type { Connection, Dialect } from '#core/connections/index';

/** Bundles everything that sends requests to seller APIs. */
export interface SellerFeature {
  readonly access: SellerAccessProvider;
  readonly client: SellerClient;
  readonly accounts: Accounts;
  readonly validation: Validation;
  readonly priority: InteractivePriority;
  /** Sets the browser's User-Agent rules to match the connections. Returns false if the browser did not accept them. */
  readonly applyRules: () => Promise<boolean>;
  /** Tells whether the browser's User-Agent rules match the connections. Retries rules that could not be set. */
  readonly rulesReady: () => Promise<boolean>;
}

export function createSellerFeature(context: WorkerContext): SellerFeature {
  const { connectionStore, sessionCache, userAgentRules, readers, now } = context;
  const { codeReaderOf } = readers;

  async function applyRules(): Promise<boolean> {
    const all = await connectionStore.read();
    return userAgentRules.apply(all.filter((one) => isLive(one) && one.dialect.plainUserAgent));
  }

  let rulesApplied: Promise<boolean> | undefined;
  async function rulesReady(): Promise<boolean> {
    rulesApplied ??= applyRules().catch(() => false);
    const applied = await rulesApplied;
    if (!applied) rulesApplied = undefined;
    return applied;
  }

  const access = createSellerAccess({ ...context, codeReaderOf, connections: connectionStore });
  const client = createSellerClient({
    http: context.sellerHttp,
    sessionCache,
    rules: userAgentRules,
    rulesReady,
    runExclusive: context.runExclusive,
    now,
  });
  const accounts = createAccounts(client, sessionCache, codeReaderOf, now);
  const validation = createValidation({
    client,
    accounts,
    searches: createSearchMemory(sessionCache, now, (moment) =>
      context.ensureAlarm('prune-replies', moment),
    ),
    sellerItems: createSellerItems(client, sessionCache, codeReaderOf, now),
    codeReaderOf,
    now,
    proveDialect: (access, dialect) => proveDialect(context, access, dialect),
  });

  return {
    access,
    client,
    accounts,
    validation,
    priority: createInteractivePriority(),
    applyRules,
    rulesReady,
  };
}

/** Stores a dialect that has confirmed a code, under a new revision. The cached pace, account and items are kept. */
export async function proveDialect(
  {
    connectionStore,
    sessionCache,
    runExclusive,
  }: Pick<WorkerContext, 'connectionStore' | 'sessionCache' | 'runExclusive'>,
  { connection, wasLocked }: Pick<AuthorizedAccess, 'connection' | 'wasLocked'>,
  { keyPlacement, encoding }: Dialect,
): Promise<Connection> {
  const { id, revision, dialect } = connection;
  const isProven =
    dialect.proven && dialect.keyPlacement === keyPlacement && dialect.encoding === encoding;
  if (isProven) return connection;
  const next = {
    ...connection,
    revision: revision + 1,
    dialect: { ...dialect, keyPlacement, encoding, proven: true },
  };
  const written = await connectionStore.change((all) =>
    all.map((one) => (one.id === id && one.revision === revision && isLive(one) ? next : one)),
  );
  if (!written.ok || !written.value.includes(next)) return connection;
  // Otherwise a request counted in between would be lost.
  return runExclusive(`pace ${id}`, async () => {
    const owner = paceOwnerOf(connection);
    const pace = await sessionCache.read('pace', owner);
    const account = await sessionCache.read('account', connection);
    const items = await sessionCache.read('items', connection);
    await sessionCache.forget(id);
    if (pace !== undefined) await sessionCache.write('pace', owner, pace, wasLocked);
    if (account !== undefined) await sessionCache.write('account', next, account, wasLocked);
    if (items !== undefined) await sessionCache.write('items', next, items, wasLocked);
    return next;
  });
}
