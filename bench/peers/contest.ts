import { median } from '#bench/measurement';
import type { BenchSetup } from '#bench/setup';

/** Measures one piece of work as ours does it, and as what a user would pick instead. */
export interface Contest {
  readonly work: string;
  readonly unit: 'ms' | 'kB';
  /** The aim for ours, in words. */
  readonly goal: string;
  readonly prepare: (setup: BenchSetup) => Promise<Contestants>;
}

/** Each call does the work once, and returns what it took in the contest's unit. */
export interface Contestants {
  readonly ours: () => Promise<number>;
  readonly peers: Readonly<Record<string, () => Promise<number>>>;
  readonly close: () => Promise<void>;
}

/** Lets everyone do the work in turn, once unmeasured and then so many times. Returns a row of the table. */
export async function hold(
  { work, unit, goal, prepare }: Contest,
  setup: BenchSetup,
  runs: number,
): Promise<readonly string[]> {
  const { ours, peers, close } = await prepare(setup);
  const contestants = { ours, ...peers };
  const taken = new Map<string, number[]>(Object.keys(contestants).map((name) => [name, []]));
  for (let run = 0; run <= runs; run += 1)
    for (const [name, act] of Object.entries(contestants)) {
      const value = await act();
      if (run > 0) taken.get(name)?.push(value);
    }
  await close();
  const told = [...taken].map(([name, values]) => ({ name, text: textOf(values, unit) }));
  const others = told.filter(({ name }) => name !== 'ours');
  return [
    work,
    told.find(({ name }) => name === 'ours')?.text ?? '',
    others.map(({ name, text }) => `${name} ${text}`).join('; '),
    goal,
  ];
}

/** The median, and in parentheses the least and the most. */
function textOf(values: readonly number[], unit: string): string {
  const digits = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spread = least === most ? '' : ` (${digits(least)} to ${digits(most)})`;
  return `${digits(median(values))}${spread} ${unit}`;
}
