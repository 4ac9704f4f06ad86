import type { InjectionKey } from 'vue';

import type { HistoryPort } from '#core/history/index';
import type { WatchChanges } from '#stores/ports';

export const historyPort: InjectionKey<HistoryPort> = Symbol('history');

/** Calls back when the history may have new entries. */
export const historyChangesPort: InjectionKey<WatchChanges> = Symbol('history changes');
