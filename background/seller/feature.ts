import type { Connections } from '#background/connections/connections';
import type { WorkerContext } from '#background/dependencies';
import { type SellerAccessProvider, createSellerAccess } from '#background/seller/access';
import { type Accounts, createAccounts } from '#background/seller/accounts';
import {
  type InteractivePriority,
  createInteractivePriority,
} from '#background/seller/interactive-priority';
import { createItems } from '#background/seller/items';
import { createMedia } from '#background/seller/media';
import { createSearchMemory } from '#background/seller/search-memory';
import { createSellerClient } from '#background/seller/seller-client';
import { type Validation, createValidation } from '#background/seller/validation';
import type { ItemsReplies } from '#messaging/topics/items';
import type { HandlersOf } from '#messaging/serve';

interface SellerNeeds {
  readonly connections: Pick<Connections, 'prove'>;
  readonly rulesReady: () => Promise<boolean>;
}

/** Bundles everything that sends requests to seller APIs. */
export interface SellerFeature {
  readonly access: SellerAccessProvider;
  readonly accounts: Accounts;
  readonly validation: Validation;
  readonly priority: InteractivePriority;
  readonly handlers: HandlersOf<ItemsReplies>;
}

export function createSellerFeature(
  context: WorkerContext,
  { connections, rulesReady }: SellerNeeds,
): SellerFeature {
  const { sellerHttp, permissions, secrets, sessionCache, userAgentRules, runExclusive, now } =
    context;
  const access = createSellerAccess({
    connections: context.connectionStore,
    permissions,
    secrets,
    sessionCache,
    now,
  });
  const client = createSellerClient({
    http: sellerHttp,
    sessionCache,
    rules: userAgentRules,
    rulesReady,
    runExclusive,
    now,
  });
  const accounts = createAccounts(client, sessionCache, now);
  const validation = createValidation({
    client,
    accounts,
    searches: createSearchMemory(sessionCache, now, (moment) =>
      context.ensureAlarm('prune-replies', moment),
    ),
    prove: (access, dialect) => connections.prove(access, dialect),
  });
  const items = createItems({ access, accounts, client, cache: context.items, now });
  const media = createMedia({ access, permissions, http: sellerHttp });

  return {
    access,
    accounts,
    validation,
    priority: createInteractivePriority(),
    handlers: {
      'items.all': ({ connectionId }) => items.refresh(connectionId),
      'items.item': ({ connectionId, itemId }) => items.lookUp(connectionId, itemId),
      'items.media': (wanted) => media.source(wanted),
    },
  };
}
