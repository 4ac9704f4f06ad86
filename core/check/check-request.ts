import type { OutcomeSummary } from '#core/check/check-report';
import type { ItemId } from '#core/item-id';

/** Asks for the check of one code at one connection. */
export interface CheckRequest {
  readonly code: string;
  readonly connectionId: string;
  /** Skips the reply cache, and shares no request that is under way. */
  readonly fresh: boolean;
  /** The item that the code should be for. */
  readonly expectedItemId?: ItemId;
  /**
   * Whether a search among a seller's items reports its progress in intermediate answers, each a fault that says how
   * far it has come.
   */
  readonly withProgress?: boolean;
  /** Absent if only this connection is asked. */
  readonly question?: CheckQuestion;
  /** Address of the ticket that the code came from; stored only if the agent allows it. */
  readonly ticket?: string;
}

/** One question about a code: the answers of all its connections form one check in the history. */
export interface CheckQuestion {
  readonly id: string;
  /** The ids of all connections whose answers the verdict uses, asked now or earlier. */
  readonly asked: readonly string[];
  /** Earlier answers. Each counts until its connection gives a new one. */
  readonly kept: readonly KeptAnswer[];
}

/** An earlier answer. `checkedAt`: epoch milliseconds. */
export interface KeptAnswer {
  readonly connectionId: string;
  readonly checkedAt: number;
}

/** A connection's answer that is on the screen when a question is asked. */
interface Shown extends Partial<Pick<KeptAnswer, 'checkedAt'>> {
  readonly connectionId: string;
  readonly outcome?: Pick<OutcomeSummary, 'ok'> | undefined;
}

/**
 * Makes the question about one code.
 * @param checks one for each connection whose answer the verdict uses, including those that are not asked now
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
