import { purchaseIn } from '#core/check/index';
import {
  bestFirst,
  countVerdicts,
  isSettled,
  itemNameOf,
  type VerdictWord,
  verdicts,
  wordOf,
} from '#core/verdict/index';
import type { HistoryEntry } from '#core/history/entry';
import { succeed } from '#core/result';
import { type Sort, sortRows } from '#core/sort';
import type { ItemId } from '#core/item-id';

/** One check of a code: the answer that gives the verdict, and those of the other connections. */
export interface HistoryCheck extends HistoryEntry {
  /** Every answer; the one that gives the verdict is first. */
  readonly entries: readonly HistoryEntry[];
  /**
   * The verdict at the moment of the check. If no connection knew the code and one did not answer, it is `fault`, or
   * the word given by a bulk check that is not finished.
   */
  readonly group: VerdictWord;
  /** The ids of the connections that did not answer and might know the code; empty if there is a verdict. */
  readonly silent: readonly string[];
  /**
   * The distinct names of the connections that it is about: the one that knows the code, or all that do not, or those
   * that did not answer.
   */
  readonly connectionNames: readonly string[];
}

type Answered = Pick<HistoryCheck, 'answer' | 'entries'>;

/** A code as of its newest check. */
export interface HistoryCode extends HistoryCheck {
  readonly kind: 'code';
  /** Newest first. */
  readonly checks: readonly HistoryCheck[];
  /** Its checks, without those that repeat the result of the one before. */
  readonly verdicts: readonly HistoryCheck[];
  /** The newest answers of the connections other than the one that gives the verdict, also from earlier checks. */
  readonly others: readonly HistoryEntry[];
}

export type HistoryRow =
  | HistoryCode
  /** The codes of one bulk run, with the results of that run. Below headings of days: only those of one day. */
  | {
      readonly kind: 'run';
      readonly jobId: string;
      /** The codes with a result, newest first; empty while a connection has waited from the start. */
      readonly codes: readonly HistoryCode[];
      /** How many of them were checked again later. */
      readonly again: number;
      readonly counts: Readonly<Record<VerdictWord, number>>;
      readonly connectionNames: readonly string[];
      /**
       * When it began, if that was on the day of its codes or it has no codes; otherwise when the first of them was
       * checked.
       */
      readonly checkedAt: number;
      /** Whether it continued on a later day. That day's row then shows the state of the bulk check. */
      readonly wentOn: boolean;
    }
  /** The heading of a day: how many distinct codes the rows below it show, and their verdicts. */
  | {
      readonly kind: 'day';
      /** Days since 1 January 1970. */
      readonly day: number;
      readonly codes: number;
      readonly counts: Readonly<Record<VerdictWord, number>>;
    };

type Content = Exclude<HistoryRow, { kind: 'day' }>;

/** Selects which part of the history is shown, and how; an undefined member selects everything. */
interface HistoryView {
  readonly connectionId?: string | undefined;
  /** The item that was bought; only together with `connectionId`. */
  readonly itemId?: ItemId | undefined;
  readonly jobId?: string | undefined;
  /** The first and the last day, as `dayOf` counts them. */
  readonly days?: { readonly first: number; readonly last: number } | undefined;
  readonly group?: VerdictWord | undefined;
  /** Whether the codes of a bulk run are shown as one row, or below headings of days as one row per day. */
  readonly foldsRuns?: boolean;
  /** Whether a run is one row even if it has several days. */
  readonly isWhole?: boolean;
  /** When each stored bulk check began, by its id, epoch milliseconds. */
  readonly began?: ReadonlyMap<string, number> | undefined;
  /** The ids of unfinished bulk checks with several codes: each is shown as a row from its first recorded answer on. */
  readonly unfinished?: ReadonlySet<string> | undefined;
  /** Without it the newest are first, below a heading for each day. */
  readonly sort?: Sort<'verdict' | 'code' | 'item' | 'connection' | 'when'> | undefined;
  /** Returns the day of a moment, counted from 1 January 1970. */
  readonly dayOf: (at: number) => number;
}

interface HistoryTable {
  /** How many codes have each verdict, whichever group is shown. */
  readonly counts: Readonly<Record<VerdictWord, number>>;
  readonly codes: readonly HistoryCode[];
  readonly rows: readonly HistoryRow[];
}

/**
 * Shows each code once, at the position of its newest check. A code that an unfinished bulk check has not settled is
 * not shown as a check; only the bulk check's row represents it.
 * @param checks the newest first
 */
export function historyTable(checks: readonly HistoryCheck[], view: HistoryView): HistoryTable {
  const { group, foldsRuns, sort, dayOf } = view;
  const selected = checks.filter((check) => isSelected(check, view));
  const all = codesOf(selected.filter(({ group }) => isSettled(group)));
  const codes = group === undefined ? all : all.filter((code) => code.group === group);
  const rows =
    foldsRuns === true
      ? foldRuns(codes, selected, view).toSorted((one, other) => other.checkedAt - one.checkedAt)
      : codes;
  return {
    counts: countsOf(all),
    codes,
    rows: sort === undefined ? withDays(rows, dayOf) : sorted(rows, sort),
  };
}

function isSelected(check: HistoryCheck, view: HistoryView): boolean {
  const { connectionId, itemId, jobId } = view;
  return (
    (connectionId === undefined ||
      decisiveIn(check).some((entry) => entry.connectionId === connectionId)) &&
    (jobId === undefined || check.jobId === jobId) &&
    isOfDays(check.checkedAt, view) &&
    (itemId === undefined || purchaseIn(succeed(check.answer))?.item.id === itemId)
  );
}

function isOfDays(at: number, { days, dayOf }: HistoryView): boolean {
  return days === undefined || (dayOf(at) >= days.first && dayOf(at) <= days.last);
}

function newestOf(codes: readonly HistoryCode[]): HistoryCode[] {
  const latestFirst = codes.toSorted((one, other) => other.checkedAt - one.checkedAt);
  return [...Map.groupBy(latestFirst, ({ codeId }) => codeId).values()].flatMap((ofCode) =>
    ofCode.slice(0, 1),
  );
}

function codesOf(checks: readonly HistoryCheck[]): HistoryCode[] {
  return [...Map.groupBy(checks, ({ codeId }) => codeId).values()].flatMap((ofCode) => {
    const [newest] = ofCode;
    if (newest === undefined) return [];
    const verdicts = ofCode.filter(({ group }, at) => ofCode[at - 1]?.group !== group);
    return { ...newest, kind: 'code', checks: ofCode, verdicts, others: othersIn(ofCode) };
  });
}

/** @param checks of one code, newest first */
function othersIn(checks: readonly HistoryCheck[]): HistoryEntry[] {
  const newest = new Map<string, HistoryEntry>();
  for (const entry of checks.flatMap(({ entries }) => entries))
    if (!newest.has(entry.connectionId)) newest.set(entry.connectionId, entry);
  return [...newest.values()].slice(1);
}

/**
 * Shows each bulk run with everything that it checked on a day, even if some of its codes were checked again. A run of
 * one code is shown as that code, unless the run is unfinished and has other codes.
 */
function foldRuns(
  codes: readonly HistoryCode[],
  checks: readonly HistoryCheck[],
  view: HistoryView,
): Content[] {
  const { unfinished = new Set(), sort, isWhole = sort !== undefined, dayOf } = view;
  const newest = new Map(codes.map((code) => [code.codeId, code]));
  const runs = new Map(
    [...Map.groupBy(checks, ({ jobId }) => jobId)].filter(
      ([jobId = '', run]) => jobId !== '' && (unfinished.has(jobId) || hasSeveralCodes(run)),
    ),
  );
  const rows = new Map(
    [...runs].flatMap(([jobId = '', run]) => {
      const days = Map.groupBy(run, ({ checkedAt }) => (isWhole ? 0 : dayOf(checkedAt)));
      return [...days.values()].map(
        (ofDay, at) => [ofDay[0], rowOfRun(jobId, ofDay, newest, view, at > 0)] as const,
      );
    }),
  );
  return checks.flatMap((check): Content[] => {
    const { jobId, codeId } = check;
    const code = newest.get(codeId);
    const row = runs.has(jobId) ? rows.get(check) : code?.id === check.id ? code : undefined;
    return row === undefined ? [] : [row];
  });
}

function hasSeveralCodes(checks: readonly HistoryCheck[]): boolean {
  return checks.some(({ codeId }) => codeId !== checks[0]?.codeId);
}

/**
 * @param checks the newest first
 * @param newest the newest check of each code
 * @param wentOn whether it has checks on a later day
 */
function rowOfRun(
  jobId: string,
  checks: readonly HistoryCheck[],
  newest: ReadonlyMap<string, HistoryCode>,
  { began: beginnings, dayOf }: HistoryView,
  wentOn = false,
): Extract<Content, { kind: 'run' }> {
  const settled = checks.filter(({ group }) => isSettled(group));
  const codes = codesOf(settled);
  const first = (settled.length > 0 ? settled : checks).at(-1)?.checkedAt;
  const began = beginnings?.get(jobId);
  const isOfDay = first === undefined || began === undefined || dayOf(began) === dayOf(first);
  return {
    kind: 'run',
    jobId,
    codes,
    again: codes.filter(({ codeId }) => newest.get(codeId)?.jobId !== jobId).length,
    counts: countsOf(codes),
    connectionNames: [...new Set(codes.flatMap((each) => each.connectionNames))].sort(),
    checkedAt: (isOfDay ? (began ?? first) : first) ?? 0,
    wentOn,
  };
}

function withDays(rows: readonly Content[], dayOf: (at: number) => number): HistoryRow[] {
  return [...Map.groupBy(rows, ({ checkedAt }) => dayOf(checkedAt))].flatMap(([day, some]) => {
    const codes = newestOf(some.flatMap((row) => (row.kind === 'run' ? row.codes : [row])));
    return [{ kind: 'day', day, codes: codes.length, counts: countsOf(codes) }, ...some];
  });
}

/** Sorts rows. A bulk run has no verdict, code or item to sort by. */
function sorted(rows: readonly Content[], sort: NonNullable<HistoryView['sort']>): Content[] {
  return sortRows(rows, sort, (row, key) => {
    if (key === 'when') return row.checkedAt;
    if (key === 'connection') return row.connectionNames.join(' ').toLowerCase();
    if (row.kind === 'run') return undefined;
    if (key === 'verdict') return verdicts.indexOf(row.group);
    return (key === 'code' ? row.code : itemNameOf(succeed(row.answer))).toLowerCase();
  });
}

function countsOf(checks: readonly HistoryCheck[]): Record<VerdictWord, number> {
  return countVerdicts(checks.map(({ group }) => group));
}

/**
 * Groups entries into checks: the answer that gives a check's verdict is the best of those to one question.
 * @param entries newest first, or oldest first
 * @param unasked returns the verdict to show for a code while its bulk check still waits for a connection; without it,
 * such a code counts as `fault`
 */
export function checksOf(
  entries: readonly HistoryEntry[],
  unasked?: (check: HistoryEntry) => VerdictWord | undefined,
): HistoryCheck[] {
  const questions = Map.groupBy(entries, ({ codeId, question }) => `${codeId} ${question}`);
  const names = new Map(
    entries.map(({ connectionId, connectionName }) => [connectionId, connectionName]),
  );
  const checks = new Map<HistoryEntry, HistoryCheck>();
  for (const answers of questions.values()) {
    const best = bestFirst(
      withoutReplaced(answers).map((entry) => ({ entry, outcome: succeed(entry.answer) })),
      answers[0]?.checkedAt ?? 0,
    ).map(({ entry }) => entry);
    const [lead] = best;
    const [latest] = answers.toSorted((one, other) => other.checkedAt - one.checkedAt);
    if (lead === undefined || latest === undefined) continue;
    // The agent saw the verdict when the last of the answers arrived.
    const { checkedAt } = latest;
    const check = { ...lead, entries: best, checkedAt };
    const silent = silentIn(check);
    const isOpen = silent.length > 0;
    const open = unasked?.(lead) ?? 'fault';
    const shown = isOpen
      ? silent.flatMap((id) => names.get(id) ?? [])
      : decisiveIn(check).map(({ connectionName }) => connectionName);
    checks.set(latest, {
      ...check,
      silent,
      group: isOpen ? open : wordOf({ outcome: succeed(lead.answer) }, undefined, checkedAt),
      connectionNames: [...new Set(shown)].sort(),
    });
  }
  return entries.flatMap((entry) => checks.get(entry) ?? []);
}

/** Removes kept answers if the connection gave a new one, and duplicates of kept answers. */
function withoutReplaced(answers: readonly HistoryEntry[]): readonly HistoryEntry[] {
  return answers.filter(
    (entry) =>
      !answers.some(
        (other) =>
          other.connectionId === entry.connectionId &&
          (other.kept === entry.kept ? other.id > entry.id : entry.kept === true),
      ),
  );
}

/** Returns the answers that decide a check's verdict: that of the connection which knows the code, or all of them. */
function decisiveIn(check: Answered): readonly HistoryEntry[] {
  return check.answer.kind === 'not-found' ? check.entries : check.entries.slice(0, 1);
}

/** Returns the connections that were asked but did not answer, and might know the code. */
function silentIn({ answer, entries }: Answered): readonly string[] {
  if (answer.kind !== 'not-found') return [];
  const answered = new Set(entries.map(({ connectionId }) => connectionId));
  return entries.flatMap(({ asked = [] }) => asked.filter((id) => !answered.has(id)));
}
