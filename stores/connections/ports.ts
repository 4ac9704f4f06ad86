import type { InjectionKey } from 'vue';

/** Calls back when an answer about a code has come in, whichever page asked; returns how to stop that. */
export const answersPort: InjectionKey<(changed: () => void) => () => void> = Symbol('answers');
