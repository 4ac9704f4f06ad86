import type { InjectionKey } from 'vue';

import type { PageText } from '#core/ticket/page-text';

/** What the views beside a ticket need from outside. Entry files bind each with `provide`. */

/** The page in the tab in front; `adapters/browser/tab-page.ts` says when it may be read. */
export interface TabPagePort {
  readonly read: () => Promise<PageText | undefined>;
  readonly origin: () => Promise<string | undefined>;
  readonly follow: (changed: () => void) => void;
}
export const tabPagePort: InjectionKey<TabPagePort> = Symbol('tab page');

/** Text that a menu, a chip or the address bar sent to this very view. Taken once. */
export interface PendingTextPort {
  readonly take: () => Promise<string | undefined>;
  readonly watch: (left: () => void) => void;
}
export const pendingTextPort: InjectionKey<PendingTextPort> = Symbol('arrivals');

/** Opens the verifier on a license, which is not sent by an address. */
export const inspectPort: InjectionKey<(license: string) => Promise<void>> = Symbol('inspect');

/** The browser's own keyboard shortcuts for us. */
export interface ShortcutPort {
  /** Undefined where none is set. */
  readonly current: () => Promise<string | undefined>;
  readonly change: () => void;
}
export const shortcutPort: InjectionKey<ShortcutPort> = Symbol('shortcuts');
