import type { TopicName, Body, Reply } from '#messaging/protocol';
import type { StepHandle } from '#core/ticket/next-code';
import type { Chip, TicketScriptSettings } from '#messaging/topics/ticket';

/**
 * Sends a request to the worker before it returns, because the browser opens the panel only for a message of the click's
 * own task. Resolves with `undefined` when there was no reply.
 */
export type AskFromPage = <T extends TopicName>(
  topic: T,
  body: Body<T>,
) => Promise<Reply<T> | undefined>;

/** Holds the globals that both stages of the ticket script share in their isolated world, which no page can see. */
export interface ScriptGlobals {
  /** Tells that the first stage runs here. */
  counterfoilAsked?: boolean;
  /** Shows chips; set by the second stage. */
  counterfoilView?: (settings: TicketScriptSettings, ask: AskFromPage) => ChipsHandle;
  /** The chips of this document, for the worker's step from code to code; set by the first stage. */
  counterfoilChips?: StepHandle | undefined;
}

export interface ChipsHandle extends StepHandle {
  /** Shows the verdict on a code that the agent has checked in the panel. */
  checked(code: string, chip: Chip): void;
  /** Removes all chips and stops scanning. */
  end(): void;
}
