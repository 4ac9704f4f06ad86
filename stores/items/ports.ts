import type { InjectionKey } from 'vue';

import type { ItemsPort } from '#core/marketplaces/resources';

export const itemsPort: InjectionKey<ItemsPort> = Symbol('items');
