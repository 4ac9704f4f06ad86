import type { InjectionKey } from 'vue';

import type { PageText } from '#core/ticket/page-text';

/** Ports of the ticket's stores and views. Entry files bind each with `provide`. */

/** Reads the page in the tab in front; `adapters/browser/tab-page.ts` says when it may. */
export interface TabPagePort {
  readonly read: () => Promise<PageText | undefined>;
  readonly origin: () => Promise<string | undefined>;
  readonly follow: (changed: () => void) => void;
}
export const tabPagePort: InjectionKey<TabPagePort> = Symbol('tab page');

/** Takes, once, the text that a menu, a chip or the address bar sent to this view. */
export interface PendingTextPort {
  readonly take: () => Promise<string | undefined>;
  readonly watch: (onText: () => void) => void;
}
export const pendingTextPort: InjectionKey<PendingTextPort> = Symbol('pending text');

/** Opens the verifier on a license. The license travels through storage, never in an address. */
export const inspectPort: InjectionKey<(license: string) => Promise<void>> = Symbol('inspect');

/** Reads the browser's keyboard shortcut for the extension, and opens the settings that change it. */
export interface ShortcutPort {
  /** Undefined where none is set. */
  readonly current: () => Promise<string | undefined>;
  readonly change: () => void;
}
export const shortcutPort: InjectionKey<ShortcutPort> = Symbol('shortcuts');
