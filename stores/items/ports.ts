import type { InjectionKey } from 'vue';

import type { ItemsPort } from '#core/items/cached-items';

export const itemsPort: InjectionKey<ItemsPort> = Symbol('items');
