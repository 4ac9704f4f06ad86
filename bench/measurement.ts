import type { BenchSetup } from '#bench/setup';

/** Measures one thing beside the least that it could cost. */
export interface Measurement {
  readonly name: string;
  /** The limit in a few words. */
  readonly limit: string;
  readonly goal: Goal;
  readonly measure: (setup: BenchSetup) => Promise<Samples>;
}

/** Holds milliseconds, measured alternately; both lists have the same length. */
export interface Samples {
  readonly limit: readonly number[];
  readonly ours: readonly number[];
}

/**
 * What must hold: ours is at most `ratio` times the limit or `slackMs` above it, whichever is more. Without a
 * ratio it is only reported.
 */
export interface Goal {
  readonly ratio?: number;
  readonly slackMs?: number;
  /** The slowest run divided by the quickest, at most. */
  readonly spread?: number;
}

/**
 * Measures limit and ours alternately, so that other load on the machine affects both. The first `warmUp` rounds are
 * not counted.
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

/**
 * Lets several measurements use what was taken once: `take` runs again when one of them asks a second time, in the next
 * run.
 */
export function takenOnce<T>(
  take: (setup: BenchSetup) => Promise<T>,
): (asker: string, setup: BenchSetup) => Promise<T> {
  const asked = new Set<string>();
  let taken: Promise<T> | undefined;
  return (asker, setup) => {
    if (taken === undefined || asked.has(asker)) {
      taken = take(setup);
      asked.clear();
    }
    asked.add(asker);
    return taken;
  };
}

/** The result of one measurement over all runs. Milliseconds are medians, of the runs' own medians. */
export interface Finding {
  readonly name: string;
  readonly limit: string;
  readonly limitMs: number;
  readonly oursMs: number;
  /** One ratio for each run, in ascending order. */
  readonly ratios: readonly number[];
  /** The slowest run of ours divided by the quickest. */
  readonly spread: number;
  readonly goal: string;
  readonly state: 'met' | 'missed' | 'reported';
}

export function findingOf({ name, limit, goal }: Measurement, runs: readonly Samples[]): Finding {
  const medians = runs.map((run) => ({ limit: median(run.limit), ours: median(run.ours) }));
  const limitMs = median(medians.map((run) => run.limit));
  const ours = medians.map((run) => run.ours);
  const spread = Math.max(...ours) / Math.min(...ours);
  const ratios = medians.map((run) => run.ours / run.limit).sort((a, b) => a - b);
  const oursMs = median(ours);
  const state = stateOf(goal, { limitMs, oursMs, ratio: median(ratios), spread });
  return { name, limit, limitMs, oursMs, ratios, spread, goal: formatGoal(goal), state };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new Error('There is no median of nothing.');
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

function stateOf(
  goal: Goal,
  found: Pick<Finding, 'limitMs' | 'oursMs' | 'spread'> & { readonly ratio: number },
): Finding['state'] {
  if (goal.ratio === undefined) return 'reported';
  const isNear = goal.slackMs !== undefined && found.oursMs <= found.limitMs + goal.slackMs;
  const isSteady = goal.spread === undefined || found.spread <= goal.spread;
  return (found.ratio <= goal.ratio || isNear) && isSteady ? 'met' : 'missed';
}

function formatGoal({ ratio, slackMs, spread }: Goal): string {
  if (ratio === undefined) return '–';
  return [
    `≤ ${ratio.toFixed(2)}`,
    ...(slackMs === undefined ? [] : [`or +${String(slackMs)} ms`]),
    ...(spread === undefined ? [] : [`and runs within ${spread.toFixed(2)}`]),
  ].join(' ');
}

/** Formats the findings as the Markdown table of docs/performance.md. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map(({ name, limit, limitMs, oursMs, ratios, spread, goal, state }) => [
    name,
    limit,
    goal,
    `${limitMs.toFixed(1)}, ${oursMs.toFixed(1)} ms`,
    `${median(ratios).toFixed(2)} (${(ratios[0] ?? 0).toFixed(2)} to ${(ratios.at(-1) ?? 0).toFixed(2)})`,
    spread.toFixed(2),
    state,
  ]);
  const head = ['Promise', 'Limit', 'Goal', 'Limit, ours', 'Ratio (runs)', 'Spread', 'State'];
  return markdownTable([head, ...rows]);
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
