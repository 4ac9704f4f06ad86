import fc from 'fast-check';
import { expect, test } from 'vitest';

import { nextSort, sortRows } from '#core/sort';

const rows = [
  { name: 'b', age: 10 },
  { name: 'a', age: 9 },
  { name: 'b', age: 1 },
];
type Key = 'name' | 'age';
const by = (key: Key, direction: 'ascending' | 'descending'): number[] =>
  sortRows(rows, { key, direction }, (row, column) => row[column]).map((row) => rows.indexOf(row));

test('a heading sorts ascending, then descending, then not at all', () => {
  const first = nextSort<Key>(undefined, 'name');
  expect(first).toEqual({ key: 'name', direction: 'ascending' });
  const second = nextSort(first, 'name');
  expect(second).toEqual({ key: 'name', direction: 'descending' });
  expect(nextSort(second, 'name')).toBeUndefined();
  expect(nextSort(second, 'age')).toEqual({ key: 'age', direction: 'ascending' });
});

test('numbers are sorted as numbers, and equal rows keep their order in both directions', () => {
  expect(by('age', 'ascending')).toEqual([2, 1, 0]);
  expect(by('age', 'descending')).toEqual([0, 1, 2]);
  expect(by('name', 'ascending')).toEqual([1, 0, 2]);
  expect(by('name', 'descending')).toEqual([0, 2, 1]);
});

test('rows with a blank cell stand last in both directions, in their order', () => {
  const dates = [undefined, 3, 0, undefined, 5];
  const names = ['', 'b', 'a', '', 'c'];
  for (const [direction, places] of [
    ['ascending', [2, 1, 4, 0, 3]],
    ['descending', [4, 1, 2, 0, 3]],
  ] as const) {
    for (const cells of [dates, names]) {
      const sorted = sortRows([0, 1, 2, 3, 4], { key: 'cell', direction }, (at) => cells[at]);
      expect(sorted).toEqual(places);
    }
  }
});

test('without a sort the rows come back in their order, as a list of its own', () => {
  const same = sortRows(rows, undefined, () => 0);
  expect(same).toEqual(rows);
  expect(same).not.toBe(rows);
});

test('sorting loses no row, and orders each neighbour', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const sorted = sortRows(numbers, { key: 'n', direction: 'ascending' }, (number) => number);
      expect(sorted).toEqual([...numbers].sort((a, b) => a - b));
    }),
  );
});
