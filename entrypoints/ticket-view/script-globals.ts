import type { TopicName, Body, Reply } from '#messaging/protocol';
import type { Chip, TicketOrders } from '#messaging/ticket-script';

/**
 * Asks the worker, in this very task: the browser opens the panel only for a message that left in the click's own.
 * `undefined` when it gave no answer.
 */
export type AskWorker = <T extends TopicName>(
  topic: T,
  body: Body<T>,
) => Promise<Reply<T> | undefined>;

/** What the two stages of the ticket script have in common: globals of their own world, which no page can see. */
export interface TicketWorld {
  /** The first stage runs here. */
  counterfoilAsked?: boolean;
  /** Shows chips under these orders. */
  counterfoilView?: (orders: TicketOrders, ask: AskWorker) => ShownChips;
}

export interface ShownChips {
  /** What the agent has learned about a code beside the page. */
  checked(code: string, chip: Chip): void;
  /** Takes everything away again. */
  end(): void;
}
