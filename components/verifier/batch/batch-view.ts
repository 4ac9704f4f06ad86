import { standings } from '#components/verifier/result/tones';
import type { FileStanding } from '#core/license/inspect/inspection';
import { type Sort, sortRows } from '#core/sort';
import type { BatchRow } from '#stores/verifier/batch';

export type BatchSortKey = 'standing' | 'name' | 'domain';

/** Which rows of a batch are shown, and in which order. */
export interface BatchView {
  /** Text to be found in the file's name, the domain, the product or the license id. */
  readonly wanted: string;
  readonly standing: FileStanding | undefined;
  readonly sort: Sort<BatchSortKey> | undefined;
}

/** Counts the rows of each standing. */
export function countStandings(rows: readonly BatchRow[]): Record<FileStanding, number> {
  const counts = Object.fromEntries(standings.map((name) => [name, 0])) as Record<
    FileStanding,
    number
  >;
  for (const { standing } of rows) counts[standing] += 1;
  return counts;
}

/** Returns the rows to show, sorted. Rows arrive as workers finish; without a sort they stand as they were handed over. */
export function arrangeBatchRows(
  rows: readonly BatchRow[],
  { wanted, standing, sort }: BatchView,
): BatchRow[] {
  const needle = wanted.trim().toLowerCase();
  const shown = rows
    .filter(
      (row) =>
        (standing === undefined || row.standing === standing) &&
        (needle === '' || searchTextOf(row).includes(needle)),
    )
    .sort((a, b) => a.index - b.index);
  return sortRows(shown, sort, (row, key) =>
    key === 'standing' ? standings.indexOf(row.standing) : (row[key] ?? '').toLowerCase(),
  );
}

function searchTextOf({ name, domain, product, licenseId }: BatchRow): string {
  return `${name}\n${domain ?? ''}\n${product ?? ''}\n${licenseId ?? ''}`.toLowerCase();
}
