import type { InjectionKey } from 'vue';

/** Calls back when the organization's policy may have changed; returns how to stop that. */
export const policyChangesPort: InjectionKey<(changed: () => void) => () => void> =
  Symbol('policy changes');
