import type { TopicName, Body, Reply } from '#messaging/protocol';
import type { Chip, TicketScriptSettings } from '#messaging/ticket/protocol';

/**
 * Asks the worker, in this very task: the browser opens the panel only for a message that left in the click's own.
 * `undefined` when it gave no answer.
 */
export type AskFromPage = <T extends TopicName>(
  topic: T,
  body: Body<T>,
) => Promise<Reply<T> | undefined>;

/** What the two stages of the ticket script have in common: globals of their own world, which no page can see. */
export interface ScriptGlobals {
  /** The first stage runs here. */
  counterfoilAsked?: boolean;
  /** Shows chips under these orders. */
  counterfoilView?: (orders: TicketScriptSettings, ask: AskFromPage) => ChipsHandle;
}

export interface ChipsHandle {
  /** What the agent has learned about a code beside the page. */
  checked(code: string, chip: Chip): void;
  /** Takes everything away again. */
  end(): void;
}
