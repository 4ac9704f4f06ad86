import type { InjectionKey } from 'vue';

import type { HistoryPort } from '#core/history/index';

export const historyPort: InjectionKey<HistoryPort> = Symbol('history');
