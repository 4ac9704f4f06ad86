import { itemNameOf, rowVerdicts, rowVerdictOf, type RowVerdict } from '#core/bulk/table';
import { bestFirst } from '#core/check/verdict';
import { purchaseIn } from '#core/check/check-report';
import type { HistoryEntry } from '#core/history/entry';
import type { ItemId } from '#core/marketplaces/resources';
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
  readonly itemId?: ItemId | undefined;
  readonly jobId?: string | undefined;
  /** The first and the last day, as `dayOf` counts them. */
  readonly days?: { readonly first: number; readonly last: number } | undefined;
}

/** Holds what a code's connections answered to one question: the entry that gives the verdict, and the others. */
export interface HistoryCheck extends HistoryEntry {
  readonly others: readonly HistoryEntry[];
}

/** Holds the checks of one bulk run as one row, the latest first. */
export interface HistoryRun {
  readonly jobId: string;
  readonly entries: readonly HistoryEntry[];
  /** When the latest of them was checked, epoch milliseconds. */
  readonly checkedAt: number;
}

/** Holds the heading of a day, with its checks counted: each code of a bulk run is one. */
export interface HistoryDay {
  /** Counted from 1 January 1970. */
  readonly day: number;
  readonly checks: number;
  readonly counts: Readonly<Record<RowVerdict, number>>;
}

/** Holds a row of the history's table. */
export type HistoryRow = HistoryCheck | HistoryRun;

export function isRun(row: HistoryRow | HistoryDay): row is HistoryRun {
  return 'entries' in row;
}

export function isDay(row: HistoryRow | HistoryDay): row is HistoryDay {
  return 'day' in row;
}

/**
 * Puts a heading above the rows of each day.
 * @param rows the latest first
 * @param dayOf returns the day of a moment, counted from 1 January 1970
 */
export function withDays(
  rows: readonly HistoryRow[],
  dayOf: (at: number) => number,
): (HistoryRow | HistoryDay)[] {
  return [...Map.groupBy(rows, ({ checkedAt }) => dayOf(checkedAt))].flatMap(([day, some]) => {
    const checks = some.flatMap((row) => (isRun(row) ? checksOf(row.entries) : [row]));
    return [{ day, checks: checks.length, counts: countEntries(checks) }, ...some];
  });
}

/** Judges an entry at the moment it was checked. */
function verdictThen({ answer, checkedAt }: HistoryEntry): RowVerdict {
  return rowVerdictOf(succeed(answer), checkedAt);
}

/** Returns the entries that a view selects, in their order. */
export function selectEntries<Entry extends HistoryEntry>(
  entries: readonly Entry[],
  { verdict, connectionId, itemId, jobId, days }: HistoryView,
  dayOf: (at: number) => number = () => 0,
): Entry[] {
  const isIn = (at: number, { first, last }: { first: number; last: number }): boolean => {
    const day = dayOf(at);
    return day >= first && day <= last;
  };
  return entries.filter(
    (entry) =>
      (connectionId === undefined || entry.connectionId === connectionId) &&
      (jobId === undefined || entry.jobId === jobId) &&
      (days === undefined || isIn(entry.checkedAt, days)) &&
      (itemId === undefined || purchaseIn(succeed(entry.answer))?.item.id === itemId) &&
      (verdict === undefined || verdictThen(entry) === verdict),
  );
}

/** Folds the checks of each bulk run to one row, where the latest of them stands. A run of one code stays a check. */
export function foldRuns(entries: readonly HistoryEntry[]): HistoryRow[] {
  const checks = checksOf(entries);
  const ofRun = Map.groupBy(checks, ({ jobId }) => jobId);
  const runs = Map.groupBy(entries, ({ jobId }) => jobId);
  const seen = new Set<string>();
  return checks.flatMap((check): HistoryRow[] => {
    const { jobId } = check;
    if (jobId === undefined || ofRun.get(jobId)?.length === 1) return [check];
    if (seen.has(jobId)) return [];
    seen.add(jobId);
    const run = runs.get(jobId) ?? [];
    return [{ jobId, entries: run, checkedAt: run[0]?.checkedAt ?? check.checkedAt }];
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
 * Returns each check of a code once: the entry that gives the verdict is the best of what its connections answered. A bulk run
 * checks a code once; an agent's check asks all connections within a minute.
 * @param entries the latest first, or the earliest
 */
export function checksOf(entries: readonly HistoryEntry[]): HistoryCheck[] {
  const ofCodes = Map.groupBy(entries, ({ codeId, jobId }) => `${codeId} ${jobId ?? ''}`);
  const others = new Map<HistoryEntry, readonly HistoryEntry[]>();
  for (const answers of [...ofCodes.values()].flatMap(questionsIn)) {
    const ranked = answers.map((entry) => ({ entry, outcome: succeed(entry.answer) }));
    const [lead, ...rest] = bestFirst(ranked).map(({ entry }) => entry);
    if (lead !== undefined) others.set(lead, rest);
  }
  return entries.flatMap((entry) => {
    const rest = others.get(entry);
    return rest === undefined ? [] : [{ ...entry, others: rest }];
  });
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

/** Returns the names of the connections that a row is about, each once: those of a check that no connection knows, or the one that does. */
export function connectionNamesOf(row: HistoryRow): string[] {
  if (isRun(row)) return namesIn(row.entries);
  return namesIn(row.answer.kind === 'not-found' ? [row, ...row.others] : [row]);
}

function namesIn(entries: readonly HistoryEntry[]): string[] {
  return [...new Set(entries.map(({ connectionName }) => connectionName))].sort();
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
