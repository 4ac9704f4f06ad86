import type { InjectionKey } from 'vue';

import type { CheckedCode } from '#core/check/check-report';

/** Keeps what was last checked for the next time a view opens, in memory and only while the history is on. */
export interface RecentChecksPort {
  /** The latest first. */
  readonly read: () => Promise<readonly CheckedCode[]>;
  readonly write: (checked: readonly CheckedCode[]) => Promise<void>;
}
export const recentChecksPort: InjectionKey<RecentChecksPort> = Symbol('recent checks');
