import * as v from 'valibot';

/** What may become of a check, as the relay's audit tells it: which support a purchase has is not in there. */
export const teamVerdicts = ['found', 'not-found', 'other-answer', 'no-answer'] as const;

/** Counts checks, each of which has one verdict. */
interface TeamTally {
  readonly checks: number;
  readonly verdicts: Readonly<Record<(typeof teamVerdicts)[number], number>>;
  /** How many different agents made them. */
  readonly agents: number;
}

/** Counts the checks of one day, connection, agent or code. */
interface TeamLine extends TeamTally {
  /** The relay writes a day as `2026-11-15`, and of a code its last characters and its hash. */
  readonly name: string;
}

/** Counts what the whole team has checked in one month of UTC. */
export interface TeamReport extends TeamTally {
  /** Written as `2026-11`. */
  readonly month: string;
  /** The days with a check, in order. */
  readonly days: readonly TeamLine[];
  readonly connections: readonly TeamLine[];
  readonly agentLines: readonly TeamLine[];
  /** The codes that most agents have asked, of those that several have. */
  readonly codes: readonly TeamLine[];
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const tally = {
  checks: count,
  found: count,
  not_found: count,
  other_answer: count,
  no_answer: count,
  agents: count,
};
const line = v.object({ name: v.pipe(v.string(), v.maxLength(1000)), ...tally });
const schema = v.object({
  month: v.string(),
  total: v.object(tally),
  connections: v.array(line),
  agents: v.array(line),
  days: v.array(line),
  codes: v.array(line),
});

/**
 * Reads what a relay answers at `/relay/v1/report`; undefined for anything else, and for another month than was asked
 * for.
 */
export function readTeamReport(data: unknown, month: string): TeamReport | undefined {
  const read = v.safeParse(schema, data);
  if (!read.success || read.output.month !== month) return undefined;
  const { total, connections, agents, days, codes } = read.output;
  return {
    month,
    ...tallyOf(total),
    days: days.map(lineOf),
    connections: connections.map(lineOf),
    agentLines: agents.map(lineOf),
    codes: codes.map(lineOf),
  };
}

function lineOf(read: v.InferOutput<typeof line>): TeamLine {
  return { name: read.name, ...tallyOf(read) };
}

function tallyOf(read: Omit<v.InferOutput<typeof line>, 'name'>): TeamTally {
  return {
    checks: read.checks,
    verdicts: {
      found: read.found,
      'not-found': read.not_found,
      'other-answer': read.other_answer,
      'no-answer': read.no_answer,
    },
    agents: read.agents,
  };
}
