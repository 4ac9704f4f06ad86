import { describe, expect, test } from 'vitest';

import { exponentOf, growthRows } from '#bench/growth/growth';

const sizes = [10, 100, 1000];
const exponentWhen = (cost: (size: number) => number): number =>
  exponentOf(sizes.map((size) => ({ size, milliseconds: cost(size) })));

describe('growth', () => {
  test.each([
    ['constant', (): number => 7, 0],
    ['linear', (size: number): number => 3 * size, 1],
    ['quadratic', (size: number): number => size ** 2 / 5, 2],
  ])('the exponent of %s time', (_, cost, exponent) => {
    expect(exponentWhen(cost)).toBeCloseTo(exponent);
  });

  test('a time of nothing does not spoil the exponent', () => {
    expect(exponentWhen(() => 0)).toBeCloseTo(0);
  });

  test('a row has a figure for each size, and a dash where memory was not measured', () => {
    const points = sizes.map((size) => ({ size, milliseconds: size, peakBytes: size * 1e6 }));
    const [head, row] = growthRows([{ name: 'batch', unit: 'documents', points }]);
    expect(row).toEqual([
      'batch',
      '10 · 100 · 1,000 documents',
      '10 · 100 · 1000',
      '1.00',
      '10.0 · 100.0 · 1000.0',
      '– · – · –',
    ]);
    expect(row).toHaveLength(head?.length ?? 0);
  });
});
