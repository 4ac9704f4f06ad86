import type { BenchSetup } from '#bench/setup';

/** Measures one thing beside the least that it could cost. */
export interface Measurement {
  readonly name: string;
  /** What the limit is, in a few words. */
  readonly limit: string;
  readonly goal: Goal;
  measure(setup: BenchSetup): Promise<Samples>;
}

/** Holds milliseconds, measured alternately; both lists have the same length. */
export interface Samples {
  readonly limit: readonly number[];
  readonly ours: readonly number[];
}

/**
 * Says what must hold: ours is at most `ratio` times the limit or `slackMs` above it, whichever is more. Without a
 * ratio it is only reported.
 */
export interface Goal {
  readonly ratio?: number;
  readonly slackMs?: number;
}

/**
 * Measures limit and ours alternately, so that other load on the machine affects both. The first `warmUp` rounds are not
 * counted.
 */
export async function alternate(
  limit: () => Promise<number>,
  ours: () => Promise<number>,
  { rounds = 15, warmUp = 2 }: { rounds?: number; warmUp?: number } = {},
): Promise<Samples> {
  const samples = { limit: [] as number[], ours: [] as number[] };
  for (let round = -warmUp; round < rounds; round += 1) {
    const taken = { limit: await limit(), ours: await ours() };
    if (round < 0) continue;
    samples.limit.push(taken.limit);
    samples.ours.push(taken.ours);
  }
  return samples;
}

/** Holds the result of one measurement. Milliseconds are medians. */
export interface Finding {
  readonly name: string;
  readonly limit: string;
  readonly limitMs: number;
  readonly oursMs: number;
  readonly ratio: number;
  readonly goal: string;
  readonly state: 'met' | 'missed' | 'reported';
}

export function findingOf({ name, limit, goal }: Measurement, samples: Samples): Finding {
  const limitMs = median(samples.limit);
  const oursMs = median(samples.ours);
  return {
    name,
    limit,
    limitMs,
    oursMs,
    ratio: oursMs / limitMs,
    goal: formatGoal(goal),
    state: stateOf(goal, limitMs, oursMs),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new Error('There is no median of nothing.');
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

function stateOf({ ratio, slackMs }: Goal, limitMs: number, oursMs: number): Finding['state'] {
  if (ratio === undefined) return 'reported';
  const most = Math.max(limitMs * ratio, slackMs === undefined ? 0 : limitMs + slackMs);
  return oursMs <= most ? 'met' : 'missed';
}

function formatGoal({ ratio, slackMs }: Goal): string {
  if (ratio === undefined) return '–';
  const text = `≤ ${ratio.toFixed(2)}`;
  return slackMs === undefined ? text : `${text} or +${String(slackMs)} ms`;
}

/** Formats the findings as a Markdown table. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map(({ name, limit, limitMs, oursMs, ratio, goal, state }) => [
    name,
    limit,
    `${limitMs.toFixed(1)} ms`,
    `${oursMs.toFixed(1)} ms`,
    ratio.toFixed(2),
    goal,
    state,
  ]);
  return markdownTable([['What', 'Limit', 'Limit', 'Ours', 'Ratio', 'Goal', 'State'], ...rows]);
}

/** Formats rows of cells as a Markdown table; the first row is its head. */
export function markdownTable(all: readonly (readonly string[])[]): string {
  const widths = (all[0] ?? []).map((_, column) =>
    Math.max(...all.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = all;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
