import { createSellerHttp } from '#adapters/http/http-exchange';
import { defaultDialect } from '#core/connections/index';
import type { Fault } from '#core/marketplaces/fault';
import type {
  SendCall,
  ItemList,
  ItemReply,
  PurchaseReply,
  SellerAccess,
} from '#core/marketplaces/marketplace';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { marketplaceOf } from '#core/marketplaces/readers';
import type { Account } from '#core/marketplaces/resources';
import { type Result, fail } from '#core/result';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import type { TestSandbox } from '#tests/support/sandbox';
import type { ItemId } from '#core/item-id';

interface Asking {
  readonly account: () => Promise<Result<Account, Fault>>;
  readonly items: () => Promise<Result<ItemList, Fault>>;
  readonly item: (id: ItemId) => Promise<Result<ItemReply, Fault>>;
  readonly purchase: (code: string, id?: ItemId) => Promise<Result<PurchaseReply, Fault>>;
  readonly ask: SendCall;
}

/** Asks one of the sandbox's marketplaces over HTTP, as the worker does. */
export function askingIn(
  sandbox: TestSandbox,
  marketplace: MarketplaceId,
  apiKey = sandbox.tokens[`/${marketplace}`].whole,
  now = Date.now(),
): Asking {
  const http = createSellerHttp({
    fetch,
    isOnline: () => true,
    now: () => now,
    setsUserAgent: false,
    retryDelays: [],
  });
  const { store } = emulations[marketplace];
  const access: SellerAccess = {
    apiKey,
    deadline: Infinity,
    connection: {
      id: 'one',
      name: 'One',
      baseAddress: `${sandbox.origin}/${marketplace}`,
      revision: 1,
      dialect: defaultDialect,
      marketplace,
      ...(store !== undefined && { store }),
    },
  };
  const ask: SendCall = async (call) => {
    if (apiKey === '' && call.keyless !== true)
      return fail({ kind: 'no-key', reason: 'never-entered' });
    const raw = await http(call.build(access));
    return raw.ok ? call.read(raw.value, now) : raw;
  };
  const market = marketplaceOf(access.connection);
  return {
    account: () => market.account(ask),
    items: () => market.items(ask),
    item: (id: ItemId) => ask(market.item(id)),
    purchase: (code: string, id: ItemId = 'A-m3CDDC5dlrSdKZp0RFhA==') =>
      ask(market.purchase(code, { item: { id, name: 'Asked' }, store })),
    ask,
  };
}
