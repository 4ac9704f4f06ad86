import type { InjectionKey } from 'vue';

import type { CachedItem, CachedItems, ItemId } from '#core/marketplaces/resources';

/** Keeps items as they were last fetched, to be read offline. The worker alone writes them. */
export interface ItemsPort {
  read(connectionId: string): Promise<CachedItems>;
  find(connectionId: string, itemId: ItemId): Promise<CachedItem | undefined>;
}
export const itemsPort: InjectionKey<ItemsPort> = Symbol('items');
