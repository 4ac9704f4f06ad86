import { hasInjectionContext, inject, type InjectionKey } from 'vue';

import type { Ask } from '#messaging/protocol';

/** What stores need from outside. Entry files bind each with `provide`; a test hands in its own. */

export const askPort: InjectionKey<Ask> = Symbol('ask');

/** The present, epoch milliseconds. */
export const clockPort: InjectionKey<() => number> = Symbol('clock');

/**
 * Asks the browser to let the worker reach one base address. Must be called in the task of a click, before any
 * `await`. False when the agent refused.
 */
export const accessPort: InjectionKey<(baseAddress: string) => Promise<boolean>> = Symbol('access');

/** Puts text on the clipboard; false when the browser would not. */
export const copyPort: InjectionKey<(text: string) => Promise<boolean>> = Symbol('copy');

/** Shows the options page in its one tab. */
export const optionsPort: InjectionKey<() => void> = Symbol('options');

/** Where preferences of looks are kept. What comes out is unknown data: `stores/settings/preferences.ts` reads it. */
export interface PreferenceStore {
  readonly read: () => Promise<unknown>;
  readonly write: (preferences: object) => Promise<void>;
  /** Calls back when another page has written. */
  readonly watch: (changed: (preferences: unknown) => void) => void;
}

export const preferencePort: InjectionKey<PreferenceStore> = Symbol('preferences');

/** Where reply templates are kept. What comes out is unknown data: `stores/reply-templates.ts` reads it. */
export interface ReplyTemplateStore {
  readonly read: () => Promise<unknown>;
  readonly write: (settings: object) => Promise<void>;
}

export const replyTemplatesPort: InjectionKey<ReplyTemplateStore> = Symbol('reply');

/** @throws Error when the entry file has not bound this port */
export function usePort<T>(key: InjectionKey<T>): T {
  const bound = hasInjectionContext() ? inject(key, undefined) : undefined;
  if (bound === undefined) throw new Error(`Nothing is bound to ${String(key.description)}.`);
  return bound;
}
