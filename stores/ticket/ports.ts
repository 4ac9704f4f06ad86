import type { InjectionKey } from 'vue';

import type { TabPagePort } from '#core/ticket/page-text';
import type { DroppedFiles } from '#stores/verifier/batch';

/** Ports of the ticket's stores and views. Entry files bind each with `provide`. */

export const tabPagePort: InjectionKey<TabPagePort> = Symbol('tab page');

/** Puts a reply into the open reply field of the ticket in front. Bound in the pages beside a ticket alone. */
export interface ReplyFieldPort {
  /** Tells, reactively, whether the site in front is one that the agent has allowed. */
  readonly isOffered: () => boolean;
  /** Call it after a click of the agent. False where no field took the text. */
  readonly insert: (text: string) => Promise<boolean>;
}
export const replyFieldPort: InjectionKey<ReplyFieldPort> = Symbol('reply field');

export interface ReceivedText {
  readonly text: string;
  /** The connections to ask; absent where the agent's choice counts. */
  readonly connectionIds?: readonly string[];
}

/** Takes, once, the text that a menu, a chip or the address bar sent to this view. */
export interface PendingTextPort {
  readonly take: () => Promise<ReceivedText | undefined>;
  readonly watch: (onText: () => void) => void;
}
export const pendingTextPort: InjectionKey<PendingTextPort> = Symbol('pending text');

/** Opens the verifier. What it opens travels through storage, never in an address. */
export interface InspectPort {
  readonly license: (text: string) => Promise<void>;
  readonly files: (dropped: DroppedFiles) => Promise<void>;
}
export const inspectPort: InjectionKey<InspectPort> = Symbol('inspect');

/** Reads the browser's keyboard shortcut for the extension, and opens the settings that change it. */
export interface ShortcutPort {
  /** Returns the keys of the shortcut; undefined where none is set. */
  readonly current: () => Promise<string | undefined>;
  readonly change: () => void;
}
export const shortcutPort: InjectionKey<ShortcutPort> = Symbol('shortcuts');
