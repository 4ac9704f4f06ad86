import type { InjectionKey } from 'vue';

import type { Result } from '#core/result';
import type { RelayInfo, TeamFault } from '#core/team/index';
import type { WatchChanges } from '#stores/ports';

/** Asks a relay who it is. @param relay its origin, which the browser must allow */
export const relayInfoPort: InjectionKey<(relay: string) => Promise<Result<RelayInfo, TeamFault>>> =
  Symbol('relay info');

/** Calls back when the worker has stored something about the team. */
export const teamChangesPort: InjectionKey<WatchChanges> = Symbol('team changes');

/** The browser's tabs, whatever they show. */
export const tabsPort: InjectionKey<{
  readonly isOpen: (id: number) => Promise<boolean>;
  /** Calls back when a tab was closed. */
  readonly watchClosed: WatchChanges;
}> = Symbol('tabs');
