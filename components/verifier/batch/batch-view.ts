import { standings } from '#components/verifier/result/tones';
import type { FileStanding } from '#core/license/inspect/inspection';
import type { BatchRow } from '#stores/verifier/batch';

export type BatchSortKey = 'index' | 'standing' | 'name' | 'domain';

export interface BatchView {
  readonly wanted: string;
  readonly standing: FileStanding | undefined;
  readonly key: BatchSortKey;
  readonly down: boolean;
}

export function countStandings(rows: readonly BatchRow[]): Record<FileStanding, number> {
  const counts = Object.fromEntries(standings.map((name) => [name, 0])) as Record<
    FileStanding,
    number
  >;
  for (const { standing } of rows) counts[standing] += 1;
  return counts;
}

/** The rows that are wanted, in the order that is wanted; equal ones stay in the order they were handed over. */
export function arrangeBatch(
  rows: readonly BatchRow[],
  { wanted, standing, key, down }: BatchView,
): BatchRow[] {
  const needle = wanted.trim().toLowerCase();
  const some = rows.filter(
    (row) =>
      (standing === undefined || row.standing === standing) &&
      (needle === '' || searched(row).includes(needle)),
  );
  const sign = down ? -1 : 1;
  return some.sort((a, b) => sign * compare(a, b, key) || a.index - b.index);
}

function searched({ name, domain, product, licenseId }: BatchRow): string {
  return `${name}\n${domain ?? ''}\n${product ?? ''}\n${licenseId ?? ''}`.toLowerCase();
}

function compare(a: BatchRow, b: BatchRow, key: BatchSortKey): number {
  if (key === 'index') return a.index - b.index;
  if (key === 'standing') return standings.indexOf(a.standing) - standings.indexOf(b.standing);
  const [left, right] = [a[key] ?? '', b[key] ?? ''];
  return left === right ? 0 : left < right ? -1 : 1;
}
