import type { InjectionKey } from 'vue';

import type { ItemsPort } from '#core/items/index';

export const itemsPort: InjectionKey<ItemsPort> = Symbol('items');
