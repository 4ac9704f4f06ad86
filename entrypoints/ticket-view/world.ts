import type { Chip, TicketOrders } from '#messaging/ticket-script';

/** What the two stages of the ticket script have in common: globals of their own world, which no page can see. */
export interface TicketWorld {
  /** The first stage runs here. */
  counterfoilAsked?: boolean;
  /** Shows chips under these orders. @returns takes everything away again */
  counterfoilView?: (orders: TicketOrders) => () => void;
  /** While chips are shown: what the agent has learned about a code beside the page. */
  counterfoilChecked?: ((code: string, chip: Chip) => void) | undefined;
}
