import { itemNameOf, rowVerdicts, rowVerdictOf, type RowVerdict } from '#core/bulk/table';
import { bestFirst } from '#core/check/verdict';
import { purchaseIn } from '#core/check/check-report';
import type { HistoryEntry } from '#core/history/entry';
import { succeed } from '#core/result';
import { type Sort, sortRows } from '#core/sort';
import { minuteMs } from '#core/time/units';

/** Names the columns that the history can be sorted by. */
export type HistorySortKey = 'verdict' | 'code' | 'item' | 'connection' | 'when';

/** Selects entries of the history; what is undefined selects all. */
export interface HistoryView {
  readonly verdict?: RowVerdict | undefined;
  readonly connectionId?: string | undefined;
  /** With `connectionId`, the item that was bought. */
  readonly itemId?: number | undefined;
  readonly jobId?: string | undefined;
}

/** Holds the checks of one bulk run as one row, the latest first. */
export interface HistoryRun {
  readonly jobId: string;
  readonly entries: readonly HistoryEntry[];
  /** When the latest of them was checked, epoch milliseconds. */
  readonly checkedAt: number;
}

/** Holds a row of the history's table. */
export type HistoryRow = HistoryEntry | HistoryRun;

export function isRun(row: HistoryRow): row is HistoryRun {
  return 'entries' in row;
}

/** Judges an entry at the moment it was checked. */
function verdictThen({ answer, checkedAt }: HistoryEntry): RowVerdict {
  return rowVerdictOf(succeed(answer), checkedAt);
}

/** Returns the entries that a view selects, in their order. */
export function selectEntries(
  entries: readonly HistoryEntry[],
  { verdict, connectionId, itemId, jobId }: HistoryView,
): HistoryEntry[] {
  return entries.filter(
    (entry) =>
      (connectionId === undefined || entry.connectionId === connectionId) &&
      (jobId === undefined || entry.jobId === jobId) &&
      (itemId === undefined || purchaseIn(succeed(entry.answer))?.item.id === itemId) &&
      (verdict === undefined || verdictThen(entry) === verdict),
  );
}

/** Folds the entries of each bulk run to one row, where the latest of them stands. A run of one entry stays that entry. */
export function foldRuns(entries: readonly HistoryEntry[]): HistoryRow[] {
  const runs = Map.groupBy(entries, ({ jobId }) => jobId);
  const seen = new Set<string>();
  return entries.flatMap((entry): HistoryRow[] => {
    const { jobId, checkedAt } = entry;
    const run = jobId === undefined ? undefined : runs.get(jobId);
    if (jobId === undefined || run === undefined || run.length === 1) return [entry];
    if (seen.has(jobId)) return [];
    seen.add(jobId);
    return [{ jobId, entries: run, checkedAt }];
  });
}

/** Counts the entries of each verdict. */
export function countEntries(entries: readonly HistoryEntry[]): Record<RowVerdict, number> {
  const counts = Object.fromEntries(rowVerdicts.map((name) => [name, 0])) as Record<
    RowVerdict,
    number
  >;
  for (const entry of entries) counts[verdictThen(entry)] += 1;
  return counts;
}

/** The answers of the connections to one question come no further apart than this, in milliseconds. */
const oneQuestionMs = minuteMs;

/**
 * Returns the entry that gives the verdict each time a code was checked: of what its connections answered, the best. A bulk run
 * checks a code once; an agent's check asks all connections within a minute.
 * @param entries the latest first, or the earliest
 */
export function leadingEntries(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const ofCodes = Map.groupBy(entries, ({ codeId, jobId }) => `${codeId} ${jobId ?? ''}`);
  const leading = [...ofCodes.values()].flatMap(questionsIn).flatMap((answers) => {
    const [best] = bestFirst(answers.map((entry) => ({ entry, outcome: succeed(entry.answer) })));
    return best === undefined ? [] : [best.entry];
  });
  const kept = new Set(leading);
  return entries.filter((entry) => kept.has(entry));
}

/** Splits the entries of a code into those of one question each. Another answer of a connection is one to another question. */
function questionsIn(ofCode: readonly HistoryEntry[]): HistoryEntry[][] {
  const questions: HistoryEntry[][] = [];
  for (const entry of ofCode) {
    const open = questions.at(-1);
    const isSame = open?.every(
      ({ jobId, connectionId, checkedAt }) =>
        jobId !== undefined ||
        (connectionId !== entry.connectionId &&
          Math.abs(checkedAt - entry.checkedAt) <= oneQuestionMs),
    );
    if (open !== undefined && isSame === true) open.push(entry);
    else questions.push([entry]);
  }
  return questions;
}

/** Returns the entry that gives the verdict on each code of a run. */
export function codesOfRun({ entries }: HistoryRun): HistoryEntry[] {
  return leadingEntries(entries);
}

/** Returns the names of the connections that a row was checked at, each once. */
export function connectionNamesOf(row: HistoryRow): string[] {
  const entries = isRun(row) ? row.entries : [row];
  return [...new Set(entries.map(({ connectionName }) => connectionName))];
}

/** Returns rows sorted; a bulk run stands behind the verdicts, codes and items. Without a sort the order stays. */
export function arrangeHistory(
  rows: readonly HistoryRow[],
  sort: Sort<HistorySortKey> | undefined,
): HistoryRow[] {
  return sortRows(rows, sort, (row, key) => {
    if (key === 'when') return row.checkedAt;
    if (key === 'connection') return connectionNamesOf(row).join(' ').toLowerCase();
    if (key === 'verdict')
      return isRun(row) ? rowVerdicts.length : rowVerdicts.indexOf(verdictThen(row));
    if (isRun(row)) return last;
    return (key === 'code' ? row.code : itemNameOf(succeed(row.answer))).toLowerCase();
  });
}

/** Sorts behind every text. */
const last = '\uFFFF';
