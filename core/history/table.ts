import { groupOf, type RowGroup, rowGroups, itemNameOf } from '#core/bulk/table';
import { purchaseIn } from '#core/check/check-report';
import { bestFirst } from '#core/check/verdict';
import type { HistoryEntry } from '#core/history/entry';
import type { ItemId } from '#core/marketplaces/index';
import { succeed } from '#core/result';
import { type Sort, sortRows } from '#core/sort';

/** Names the columns that the history can be sorted by. */
export type HistorySortKey = 'verdict' | 'code' | 'item' | 'connection' | 'when';

/** Selects checks of the history; what is undefined selects all. */
export interface HistoryView {
  readonly connectionId?: string | undefined;
  /** With `connectionId`, the item that was bought. */
  readonly itemId?: ItemId | undefined;
  readonly jobId?: string | undefined;
  /** The first and the last day, as `dayOf` counts them. */
  readonly days?: { readonly first: number; readonly last: number } | undefined;
}

/** Holds what the agent was told about a code: the answer that gives the verdict, and those of the other connections. */
export interface HistoryCheck extends HistoryEntry {
  readonly others: readonly HistoryEntry[];
  /** No connection that answered knows the code, and one that was asked gave no answer: there is no verdict. */
  readonly isOpen: boolean;
}

/** Holds a code as its newest check shows it, with every check of it that is shown, the newest first. */
export interface HistoryCode extends HistoryCheck {
  readonly checks: readonly HistoryCheck[];
}

/** Holds the codes that were checked last in one bulk run as one row. */
export interface HistoryRun {
  readonly jobId: string;
  /** The newest first. */
  readonly codes: readonly HistoryCode[];
  /** When the latest of them was checked, epoch milliseconds. */
  readonly checkedAt: number;
}

/** Holds the heading of a day: how many codes were checked last on it, and what they came to. */
export interface HistoryDay {
  /** Counted from 1 January 1970. */
  readonly day: number;
  readonly codes: number;
  readonly counts: Readonly<Record<RowGroup, number>>;
}

/** Holds a row of the history's table. */
export type HistoryRow = HistoryCode | HistoryRun;

export function isRun(row: HistoryCheck | HistoryRow | HistoryDay): row is HistoryRun {
  return 'codes' in row && 'jobId' in row;
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
    const codes = some.flatMap((row) => (isRun(row) ? row.codes : [row]));
    return [{ day, codes: codes.length, counts: countChecks(codes) }, ...some];
  });
}

/** Judges a check at the moment it was made. */
export function groupThen({ answer, checkedAt, isOpen }: HistoryCheck): RowGroup {
  return isOpen ? 'fault' : groupOf(succeed(answer), checkedAt);
}

/** Returns the checks that a view selects, in their order. */
export function selectChecks(
  checks: readonly HistoryCheck[],
  { connectionId, itemId, jobId, days }: HistoryView,
  dayOf: (at: number) => number = () => 0,
): HistoryCheck[] {
  const isIn = (at: number, { first, last }: { first: number; last: number }): boolean => {
    const day = dayOf(at);
    return day >= first && day <= last;
  };
  return checks.filter(
    (check) =>
      (connectionId === undefined ||
        decisiveIn(check).some((entry) => entry.connectionId === connectionId)) &&
      (jobId === undefined || check.jobId === jobId) &&
      (days === undefined || isIn(check.checkedAt, days)) &&
      (itemId === undefined || purchaseIn(succeed(check.answer))?.item.id === itemId),
  );
}

/** Returns every answer of a check, first the one that gives the verdict. */
export function entriesOf(check: HistoryCheck): readonly HistoryEntry[] {
  return [check, ...check.others];
}

/** Returns the answers that a check's verdict is of: that of the connection that knows the code, or all. */
function decisiveIn(check: HistoryCheck): readonly HistoryEntry[] {
  return check.answer.kind === 'not-found' ? entriesOf(check) : [check];
}

/**
 * Folds checks to one row a code, where its newest check stands.
 * @param checks the newest first
 */
export function codesOf(checks: readonly HistoryCheck[]): HistoryCode[] {
  return [...Map.groupBy(checks, ({ codeId }) => codeId).values()].flatMap((ofCode) =>
    ofCode[0] === undefined ? [] : [{ ...ofCode[0], checks: ofCode }],
  );
}

/** Folds the codes that were checked last in one bulk run to one row. A run of one code is that code. */
export function foldRuns(codes: readonly HistoryCode[]): HistoryRow[] {
  const runs = Map.groupBy(codes, ({ jobId }) => jobId);
  const seen = new Set<string>();
  return codes.flatMap((code): HistoryRow[] => {
    const { jobId, checkedAt } = code;
    const run = runs.get(jobId) ?? [];
    if (jobId === undefined || run.length === 1) return [code];
    if (seen.has(jobId)) return [];
    seen.add(jobId);
    return [{ jobId, codes: run, checkedAt }];
  });
}

/** Counts checks by what each came to. */
export function countChecks(checks: readonly HistoryCheck[]): Record<RowGroup, number> {
  const counts = Object.fromEntries(rowGroups.map((name) => [name, 0])) as Record<RowGroup, number>;
  for (const check of checks) counts[groupThen(check)] += 1;
  return counts;
}

/**
 * Returns each check once: the answer that gives the verdict is the best of those to one question.
 * @param entries the latest first, or the earliest
 */
export function checksOf(entries: readonly HistoryEntry[]): HistoryCheck[] {
  const questions = Map.groupBy(entries, ({ codeId, question }) => `${codeId} ${question}`);
  const checks = new Map<HistoryEntry, HistoryCheck>();
  for (const answers of questions.values()) {
    const [only] = answers;
    if (only === undefined) continue;
    const [lead = only, ...others] =
      answers.length === 1
        ? answers
        : bestFirst(answers.map((entry) => ({ entry, outcome: succeed(entry.answer) }))).map(
            ({ entry }) => entry,
          );
    checks.set(lead, { ...lead, others, isOpen: isOpen(lead, answers) });
  }
  return entries.flatMap((entry) => checks.get(entry) ?? []);
}

function isOpen({ answer }: HistoryEntry, answers: readonly HistoryEntry[]): boolean {
  if (answer.kind !== 'not-found') return false;
  const answered = new Set(answers.map(({ connectionId }) => connectionId));
  return answers.some(({ asked = [] }) => asked.some((id) => !answered.has(id)));
}

/** Lists the verdicts that a code had one after the other, the newest first: what does not differ from the one before is left out. */
export function verdictsOf({ checks }: HistoryCode): HistoryCheck[] {
  return checks.filter((check, at) => {
    const newer = checks[at - 1];
    return newer === undefined || groupThen(newer) !== groupThen(check);
  });
}

/** Returns the names of the connections that a row is about, each once: those of a check that no connection knows, or the one that does. */
export function connectionNamesOf(row: HistoryCheck | HistoryRun): string[] {
  const entries = isRun(row) ? row.codes.flatMap(decisiveIn) : decisiveIn(row);
  return [...new Set(entries.map(({ connectionName }) => connectionName))].sort();
}

/** Returns rows sorted; a bulk run has no verdict, code or item of its own. Without a sort the order stays. */
export function arrangeHistory(
  rows: readonly HistoryRow[],
  sort: Sort<HistorySortKey> | undefined,
): HistoryRow[] {
  return sortRows(rows, sort, (row, key) => {
    if (key === 'when') return row.checkedAt;
    if (key === 'connection') return connectionNamesOf(row).join(' ').toLowerCase();
    if (isRun(row)) return undefined;
    if (key === 'verdict') return rowGroups.indexOf(groupThen(row));
    return (key === 'code' ? row.code : itemNameOf(succeed(row.answer))).toLowerCase();
  });
}
