/** Names the four calls of the seller API (spec section 4). */
export type SellerCall = 'account' | 'items' | 'item' | 'validation';

interface Route {
  readonly call: SellerCall;
  readonly method: 'GET' | 'POST';
  /** The parameter beside the key. */
  readonly parameter?: 'item_id' | 'purchase_code';
}

const routes: Readonly<Record<string, Route>> = {
  '/api/account/details': { call: 'account', method: 'GET' },
  '/api/items/all': { call: 'items', method: 'GET' },
  '/api/items/item': { call: 'item', method: 'GET', parameter: 'item_id' },
  '/api/purchases/validation': { call: 'validation', method: 'POST', parameter: 'purchase_code' },
};

/** Returns the call at a path below `/c/{connection}`; undefined for every other path and method. */
export function sellerCallAt(method: string, path: string): Route | undefined {
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  return route?.method === method ? route : undefined;
}

/**
 * Says how long a success is answered from the cache, in milliseconds; 0 for the account, which vouches for the key at
 * this moment.
 */
export const cacheMs: Readonly<Record<SellerCall, number>> = {
  account: 0,
  items: 3_600_000,
  item: 3_600_000,
  validation: 300_000,
};
