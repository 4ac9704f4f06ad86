import type { InjectionKey } from 'vue';

import type { CheckReport } from '#core/check/index';
import type { ExpectedItem } from '#core/items/index';
import type { Insertion, TabPagePort, Ticket, TicketCard } from '#core/ticket/index';
import type { DroppedFiles } from '#stores/ui/dropped-files';

/** Ports of the ticket's stores and views. Entry files bind each with `provide`. */

export const tabPagePort: InjectionKey<TabPagePort> = Symbol('tab page');

/** Puts a reply into the open reply field of the ticket in front. Bound only in the pages beside a ticket. */
export interface ReplyFieldPort {
  /** Tells, reactively, whether a ticket of an allowed site is in front. */
  readonly isOffered: () => boolean;
  /** Call it after a click or a key press of the agent. */
  readonly insert: (text: string) => Promise<Insertion>;
}
export const replyFieldPort: InjectionKey<ReplyFieldPort> = Symbol('reply field');

/** Has a chip on a ticket's page show what the view beside it shows. */
export interface ChipsPort {
  /** @param expected the item that the code should be for */
  readonly show: (
    ticket: Pick<Ticket, 'tabId' | 'address'>,
    code: string,
    reports: readonly CheckReport[],
    expected: ExpectedItem | undefined,
  ) => void;
}
export const chipsPort: InjectionKey<ChipsPort> = Symbol('chips');

export interface ReceivedText {
  readonly text: string;
  /** The connections to ask; absent if the agent's choice counts. */
  readonly connectionIds?: readonly string[];
  /** Address of the ticket that it comes from; absent if unknown. */
  readonly ticket?: string | undefined;
}

/** Takes the text that a menu, a chip or the address bar sent to this view, only once. */
export interface PendingTextPort {
  readonly take: () => Promise<ReceivedText | undefined>;
  readonly watch: (onText: () => void) => void;
}
export const pendingTextPort: InjectionKey<PendingTextPort> = Symbol('pending text');

/** Opens the verifier. Its content is passed through storage, never in an address. */
export interface InspectPort {
  readonly license: (text: string) => Promise<void>;
  /** Opens the verifier; without files, it waits for some. */
  readonly files: (dropped?: DroppedFiles) => Promise<void>;
}
export const inspectPort: InjectionKey<InspectPort> = Symbol('inspect');

/** Reads the browser's keyboard shortcut for the extension, and opens the settings that change it. */
export interface ShortcutPort {
  /** Returns the keys of the shortcut; undefined if none is set. */
  readonly current: () => Promise<string | undefined>;
  readonly change: () => void;
}
export const shortcutPort: InjectionKey<ShortcutPort> = Symbol('shortcuts');

/** Keeps the cards of tickets in the browser's memory, only if the history is on. */
export interface TicketCardsPort {
  readonly read: (address: string) => Promise<TicketCard | undefined>;
  readonly write: (card: TicketCard) => Promise<void>;
  /** Calls back when the cards were removed. */
  readonly watch: (removed: () => void) => void;
}
export const ticketCardsPort: InjectionKey<TicketCardsPort> = Symbol('ticket cards');

/** Stores a text to check until there is a first connection, for ten minutes and not after the browser is closed. */
export interface WaitingTextPort {
  readonly put: (text: string) => Promise<void>;
  /** Returns and removes the text. */
  readonly take: () => Promise<string | undefined>;
}
export const waitingTextPort: InjectionKey<WaitingTextPort> = Symbol('waiting text');
