import type { OutcomeSummary } from '#core/check/check-report';
import type { ItemId } from '#core/item-id';

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
  /** Absent where this connection alone is asked, once. */
  readonly question?: CheckQuestion;
  /** Address of the ticket it was asked from; stored only where the agent allows it. */
  readonly ticket?: string;
}

/** One act of asking about a code: whatever its connections answer is one check in the history. */
export interface CheckQuestion {
  readonly id: string;
  /** The ids of the connections that the verdict rests on, whether they are asked now or were asked before. */
  readonly asked: readonly string[];
  /** The answers from before it, each of which counts until its connection gives a new one. */
  readonly kept: readonly KeptAnswer[];
}

/** An answer that was given before. `checkedAt`: epoch milliseconds. */
export interface KeptAnswer {
  readonly connectionId: string;
  readonly checkedAt: number;
}

/** The answer of a connection that is shown when a question begins. */
interface Shown extends Partial<Pick<KeptAnswer, 'checkedAt'>> {
  readonly connectionId: string;
  readonly outcome?: Pick<OutcomeSummary, 'ok'> | undefined;
}

/**
 * Returns the question about one code.
 * @param checks one for each connection that the verdict rests on, those that are not asked now among them
 */
export function questionAbout(id: string, checks: readonly Shown[]): CheckQuestion {
  return {
    id,
    asked: checks.map(({ connectionId }) => connectionId),
    kept: checks.flatMap(({ connectionId, checkedAt, outcome }) =>
      outcome?.ok === true && checkedAt !== undefined ? [{ connectionId, checkedAt }] : [],
    ),
  };
}
