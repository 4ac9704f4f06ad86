// Ports that several features need. Entry files bind each with `provide`, and tests bind their own. The other ports are
// in the folders of their features.
import { hasInjectionContext, inject, type InjectionKey } from 'vue';

import type { Ask } from '#messaging/index';

export const askPort: InjectionKey<Ask> = Symbol('ask');

/** Returns the present, epoch milliseconds. */
export const clockPort: InjectionKey<() => number> = Symbol('clock');

/**
 * Asks the browser to let the worker reach one base address. Must be called in the task of a click, before any `await`.
 * False if the agent refused.
 */
export const accessPort: InjectionKey<(baseAddress: string) => Promise<boolean>> = Symbol('access');

/** Copies text to the clipboard; false if the browser refused. */
export const copyPort: InjectionKey<(text: string) => Promise<boolean>> = Symbol('copy');

/** Saves text or bytes as a file on the agent's machine. */
export type SaveFile = (file: {
  name: string;
  type: string;
  content: string | readonly Uint8Array<ArrayBuffer>[];
}) => void;
export const saveFilePort: InjectionKey<SaveFile> = Symbol('save file');

/** Shows the options page in its single tab; or a section of it, or the form for a first connection, in a new tab. */
export const optionsPort: InjectionKey<(section?: 'sign-in' | 'connect') => void> =
  Symbol('options');

/**
 * Calls back when any page or the worker has stored something that the page shows; returns a function that stops this.
 */
export type WatchChanges = (changed: () => void) => () => void;

/** Calls back when an answer about a code has arrived, for any page. */
export const answersPort: InjectionKey<WatchChanges> = Symbol('answers');

/** Calls back when the organization's policy may have changed. */
export const policyChangesPort: InjectionKey<WatchChanges> = Symbol('policy changes');

/**
 * Returns the implementation that the entry file has bound to a port.
 * @throws Error if the entry file has not bound this port
 */
export function usePort<T>(key: InjectionKey<T>): T {
  const bound = hasInjectionContext() ? inject(key, undefined) : undefined;
  if (bound === undefined) throw new Error(`Nothing is bound to ${String(key.description)}.`);
  return bound;
}
