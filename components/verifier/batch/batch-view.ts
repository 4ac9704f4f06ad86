import { badgeOf, isContradicted } from '#components/verifier/result/badge';
import { standings } from '#components/verifier/result/tones';
import type { FileStanding } from '#core/license/inspect/inspection';
import { type Sort, sortRows } from '#core/sort';
import type { BatchRow } from '#stores/verifier/batch';

export type BatchSortKey = 'standing' | 'name' | 'domain';

/** Names rows that stand together: those of a standing, or those whose headline contradicts theirs. */
export type BatchGroup = FileStanding | 'contradicted';

export const batchGroups: readonly BatchGroup[] = [...standings, 'contradicted'];

export function groupOf({ standing, headline }: BatchRow): BatchGroup {
  const { word } = badgeOf(standing, headline);
  if (word === 'denied-refused') return 'denied';
  return isContradicted(word) ? 'contradicted' : standing;
}

/** Says which rows of a batch are shown, and in which order. */
export interface BatchView {
  /** Text to be found in the file's name, the domain, the product or the license id. */
  readonly wanted: string;
  readonly group: BatchGroup | undefined;
  readonly sort: Sort<BatchSortKey> | undefined;
}

/** Counts the rows of each group. */
export function countGroups(rows: readonly BatchRow[]): Record<BatchGroup, number> {
  const counts = Object.fromEntries(batchGroups.map((name) => [name, 0])) as Record<
    BatchGroup,
    number
  >;
  for (const row of rows) counts[groupOf(row)] += 1;
  return counts;
}

/** Returns the rows to show, sorted. Rows arrive as workers finish; without a sort they stand as they were handed over. */
export function arrangeBatchRows(
  rows: readonly BatchRow[],
  { wanted, group, sort }: BatchView,
): BatchRow[] {
  const needle = wanted.trim().toLowerCase();
  const shown = rows
    .filter(
      (row) =>
        (group === undefined || groupOf(row) === group) &&
        (needle === '' || searchTextOf(row).includes(needle)),
    )
    .sort((a, b) => a.index - b.index);
  return sortRows(shown, sort, (row, key) =>
    key === 'standing' ? batchGroups.indexOf(groupOf(row)) : (row[key] ?? '').toLowerCase(),
  );
}

function searchTextOf({ name, domain, product, licenseId }: BatchRow): string {
  return `${name}\n${domain ?? ''}\n${product ?? ''}\n${licenseId ?? ''}`.toLowerCase();
}
