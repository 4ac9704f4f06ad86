export interface Sort<Key extends string> {
  readonly key: Key;
  readonly direction: 'ascending' | 'descending';
}

/** Orders two numbers, or two texts by their code units. */
export function compare<T extends string | number>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Returns the sort after one press on a column's heading: ascending, then descending, then unsorted. */
export function nextSort<Key extends string>(
  current: Sort<Key> | undefined,
  key: Key,
): Sort<Key> | undefined {
  if (current?.key !== key) return { key, direction: 'ascending' };
  return current.direction === 'ascending' ? { key, direction: 'descending' } : undefined;
}

/**
 * Returns the rows sorted by one column. Rows of equal rank keep their order; rows without a rank are last in both
 * directions.
 *
 * @param rankOf the row's value in that column, undefined or an empty text if its cell is blank. Texts are compared by
 * code unit, so fold their case first
 * @example sortRows(people, { key: 'name', direction: 'ascending' }, ({ name }) => name.toLowerCase())
 */
export function sortRows<Row, Key extends string>(
  rows: readonly Row[],
  sort: Sort<Key> | undefined,
  rankOf: (row: Row, key: Key) => string | number | undefined,
): Row[] {
  if (sort === undefined) return [...rows];
  const sign = sort.direction === 'ascending' ? 1 : -1;
  const blank: Row[] = [];
  const ranked = rows.flatMap((row) => {
    const rank = rankOf(row, sort.key);
    if (rank !== undefined && rank !== '') return { row, rank };
    blank.push(row);
    return [];
  });
  ranked.sort((a, b) => sign * compare(a.rank, b.rank));
  return [...ranked.map(({ row }) => row), ...blank];
}
