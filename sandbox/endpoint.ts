/** Lists the four calls of the seller API (spec section 4). */
export const endpoints = ['account', 'items', 'item', 'validation'] as const;

export type Endpoint = (typeof endpoints)[number];

const paths: Readonly<Record<string, Endpoint>> = {
  '/api/account/details': 'account',
  '/api/items/all': 'items',
  '/api/items/item': 'item',
  '/api/purchases/validation': 'validation',
};

/**
 * Returns the call that a path leads to, if any.
 * @param path below the base address
 */
export function endpointAt(path: string): Endpoint | undefined {
  return paths[path];
}
