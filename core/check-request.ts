import type { ItemId } from '#core/items/item-id';

/** Asks for the check of one code at one connection. */
export interface CheckRequest {
  readonly code: string;
  readonly connectionId: string;
  /** Skips the reply cache. */
  readonly fresh: boolean;
  /** The item that the code should be for. */
  readonly expectedItemId?: ItemId;
  /** A search among a seller's items is answered in steps, each with the fault that says how far it is. */
  readonly withProgress?: boolean;
  /** Absent where this connection alone is asked. */
  readonly question?: CheckQuestion;
  /** Address of the ticket it was asked from; stored only where the agent allows it. */
  readonly ticket?: string;
}

/** Joins what is asked about a code at several connections at once. */
export interface CheckQuestion {
  readonly id: string;
  /** The ids of all connections that are asked. */
  readonly asked: readonly string[];
}
