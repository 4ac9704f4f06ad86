import type { BenchSetup } from '#bench/setup';

/** Measures one thing at several amounts of work, to show how its cost grows. */
export interface Growth {
  readonly name: string;
  /** What is counted, in the plural. */
  readonly unit: string;
  /** In ascending order. */
  readonly sizes: readonly number[];
  measure(setup: BenchSetup, size: number): Promise<Cost>;
}

export interface Cost {
  readonly milliseconds: number;
  /** The most memory above what the page needed before; absent where it was not measured. */
  readonly peakBytes?: number;
  /** What of it is still needed at the end, as the rows of a table are. */
  readonly heldBytes?: number;
}

export interface GrowthFinding {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly (Cost & { readonly size: number })[];
}

/**
 * Fits `time = c · size^exponent` by least squares over the logarithms: 1 is linear, 2 quadratic.
 * A fixed cost makes it smaller than it is in the long run.
 */
export function exponentOf(points: readonly { size: number; milliseconds: number }[]): number {
  const logs = points.map(({ size, milliseconds }) => ({
    x: Math.log(size),
    // What takes no time that can be measured counts as a microsecond.
    y: Math.log(Math.max(milliseconds, 0.001)),
  }));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(logs.map((log) => log.x)), mean(logs.map((log) => log.y))];
  const covariance = mean(logs.map((log) => (log.x - x) * (log.y - y)));
  const variance = mean(logs.map((log) => (log.x - x) ** 2));
  return covariance / variance;
}

/** Returns a row of cells for each finding. */
export function growthRows(findings: readonly GrowthFinding[]): string[][] {
  const list = (values: readonly string[]): string => values.join(' · ');
  const megabytes = (bytes: number | undefined): string =>
    bytes === undefined ? '–' : (bytes / 1e6).toFixed(1);
  return [
    ['What', 'Work', 'Milliseconds', 'Exponent', 'Peak, MB', 'Held, MB'],
    ...findings.map(({ name, unit, points }) => [
      name,
      `${list(points.map(({ size }) => size.toLocaleString('en')))} ${unit}`,
      list(points.map(({ milliseconds }) => milliseconds.toFixed(milliseconds < 10 ? 1 : 0))),
      exponentOf(points).toFixed(2),
      list(points.map(({ peakBytes }) => megabytes(peakBytes))),
      list(points.map(({ heldBytes }) => megabytes(heldBytes))),
    ]),
  ];
}
