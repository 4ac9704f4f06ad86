import * as v from 'valibot';

/** The outcomes of a check in the relay's audit, which does not contain a purchase's support. */
export const teamVerdicts = ['found', 'not-found', 'other-answer', 'no-answer'] as const;

/** Counts checks, each of which has one verdict. */
interface TeamTally {
  readonly checks: number;
  readonly verdicts: Readonly<Record<(typeof teamVerdicts)[number], number>>;
  /** The number of distinct agents. */
  readonly agents: number;
}

/** Counts the checks of one day, connection, agent or code. */
interface TeamLine extends TeamTally {
  /** A day is written as `2026-11-15`, a code as its last characters and its hash. */
  readonly name: string;
}

/** Counts the checks of the whole team in one UTC month. */
export interface TeamReport extends TeamTally {
  /** Written as `2026-11`. */
  readonly month: string;
  /** The days with a check, in order. */
  readonly days: readonly TeamLine[];
  readonly connections: readonly TeamLine[];
  readonly agentLines: readonly TeamLine[];
  /** The codes that were checked by more than one agent, those with the most agents first. */
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

/** Reads a relay's answer at `/relay/v1/report`; undefined for anything else, and for another month than requested. */
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
