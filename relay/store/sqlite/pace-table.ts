import type { DatabaseSync } from 'node:sqlite';

import { afterCall, type BreakerState, closedBreaker, decidePassage } from '#relay/rules/breaker';
import { activeAgentMs, decideSlot, type PaceState } from '#relay/rules/pace';
import type { CallReport, SlotAnswer, SlotRequest } from '#relay/store/store';

/** Keeps the pace and the health of each upstream. All methods run inside a transaction that holds the write lock. */
export interface PaceTable {
  /** Decides and stores; a refusal writes nothing. */
  take(request: SlotRequest): SlotAnswer;
  report(connection: string, report: Pick<CallReport, 'health' | 'heldUntil'>): void;
}

type Stored = Omit<PaceState, 'agentTat'> & BreakerState;

const fresh: Stored = { tat: 0, bulkTat: 0, heldUntil: 0, ...closedBreaker };

/**
 * Prepares the statements of the pace table.
 * @param now read after the lock is held
 */
export function createPaceTable(database: DatabaseSync, now: () => number): PaceTable {
  const readState = database.prepare(
    `SELECT tat, bulk_tat AS bulkTat, held_until AS heldUntil, failures, open_until AS openUntil,
       probe_until AS probeUntil FROM pace WHERE connection = ?`,
  );
  const writeState = database.prepare('INSERT OR REPLACE INTO pace VALUES (?, ?, ?, ?, ?, ?, ?)');
  const readAgent = database.prepare(
    'SELECT tat FROM pace_agent WHERE connection = ? AND agent = ?',
  );
  const writeAgent = database.prepare('INSERT OR REPLACE INTO pace_agent VALUES (?, ?, ?, ?)');
  const countOthers = database.prepare(
    'SELECT count(*) AS others FROM pace_agent WHERE connection = ? AND agent <> ? AND last_at > ?',
  );

  const stateOf = (connection: string): Stored => ({ ...fresh, ...readState.get(connection) });
  const store = (connection: string, state: Stored): void => {
    const { tat, bulkTat, heldUntil, failures, openUntil, probeUntil } = state;
    writeState.run(connection, tat, bulkTat, heldUntil, failures, openUntil, probeUntil);
  };

  return {
    take: ({ connection, agent, bulk, deadlineMs }) => {
      const at = now();
      const { id, limit, windowMs } = connection;
      const state = stateOf(id);
      const passage = decidePassage(state, at);
      if (!passage.passes) return { granted: false, at: passage.at, because: 'upstream-paused' };
      const agentTat = Number(readAgent.get(id, agent)?.['tat'] ?? 0);
      const others = Number(countOthers.get(id, agent, at - activeAgentMs)?.['others']);
      const decision = decideSlot(
        { limit, windowMs, deadlineMs },
        { ...state, agentTat },
        { bulk, activeAgents: others + 1 },
        at,
      );
      if (!decision.granted) return decision;
      store(id, { ...passage.state, ...decision.state });
      writeAgent.run(id, agent, decision.state.agentTat, at);
      return { granted: true };
    },

    report: (connection, { health, heldUntil }) => {
      const state = stateOf(connection);
      const breaker = health === 'unknown' ? { probeUntil: 0 } : afterCall(state, health, now());
      const next = {
        ...state,
        ...breaker,
        heldUntil: Math.max(state.heldUntil, heldUntil ?? 0),
      };
      const changed = Object.entries(next).some(
        ([name, value]) => state[name as keyof Stored] !== value,
      );
      if (changed) store(connection, next);
    },
  };
}
