import type { InjectionKey } from 'vue';

import type { HistoryPort } from '#core/history/entry';

export const historyPort: InjectionKey<HistoryPort> = Symbol('history');
