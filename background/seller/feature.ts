import type { Connections } from '#background/connections/connections';
import type { WorkerContext } from '#background/dependencies';
import { type SellerAccessProvider, createSellerAccess } from '#background/seller/access';
import { type Accounts, createAccounts } from '#background/seller/accounts';
import {
  type InteractivePriority,
  createInteractivePriority,
} from '#background/seller/interactive-priority';
import { createItems } from '#background/seller/items';
import { createSearchMemory } from '#background/seller/search-memory';
import { createSellerItems } from '#background/seller/seller-items';
import { createSellerClient } from '#background/seller/seller-client';
import { type Validation, createValidation } from '#background/seller/validation';
import { originPattern } from '#core/connections/origin';
import { fail, succeed } from '#core/result';
import { mediaFetcher, mediaTypeOf } from '#core/marketplaces/media';
import { encodeBase64 } from '#core/text/base64';
import type { Body, Reply } from '#messaging/protocol';
import type { HandlersOf } from '#messaging/serve';
import type { ItemsReplies } from '#messaging/topics/items';

/** A larger picture, video or sound is not shown; the messages between worker and page hold 64 MiB. */
const maxMediaBytes = 8 * 1024 * 1024;
const mediaTimeoutMs = 10_000;

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
    sellerItems: createSellerItems(client, sessionCache, now),
    prove: (access, dialect) => connections.prove(access, dialect),
    now,
  });
  const items = createItems({ access, accounts, client, cache: context.items, now });

  /**
   * Returns what a page may show of a picture, video or sound that a seller's reply named: the address itself where the page may
   * fetch it, else the content as a `data:` URL. The worker fetches from the connection's own origin on loopback alone, without the
   * key and following no redirect.
   */
  async function showMedia({
    connectionId,
    address,
  }: Body<'items.media'>): Promise<Reply<'items.media'>> {
    const connection = await access.find(connectionId);
    if (connection === undefined) return fail({ kind: 'not-allowed' });
    const { baseAddress, dialect } = connection;
    const fetcher = mediaFetcher(address, baseAddress);
    if (fetcher === 'page') return succeed(address);
    if (fetcher === 'nobody' || !(await permissions.has(originPattern(baseAddress))))
      return fail({ kind: 'not-allowed' });

    const reply = await sellerHttp(
      {
        method: 'GET',
        url: address,
        headers: {},
        timeoutMs: mediaTimeoutMs,
        maxBytes: maxMediaBytes,
      },
      { plainUserAgent: dialect.plainUserAgent },
    );
    if (!reply.ok || reply.value.status !== 200) return fail({ kind: 'unavailable' });
    const { body } = reply.value;
    const type = mediaTypeOf(body);
    if (type === undefined) return fail({ kind: 'no-media' });
    return succeed(`data:${type};base64,${encodeBase64(body)}`);
  }

  return {
    access,
    accounts,
    validation,
    priority: createInteractivePriority(),
    handlers: {
      'items.all': ({ connectionId }) => items.refresh(connectionId),
      'items.item': ({ connectionId, itemId }) => items.lookUp(connectionId, itemId),
      'items.media': showMedia,
    },
  };
}
