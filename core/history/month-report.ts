import { maskCode } from '#core/codes/index';
import { purchaseIn } from '#core/check/index';
import type { HistoryEntry } from '#core/history/entry';
import { checksOf, type HistoryCheck } from '#core/history/table';
import { succeed } from '#core/result';
import { countVerdicts, isSettled, itemNameOf, type VerdictWord } from '#core/verdict/index';
import { calendarDays, daysAround, daysOfMonth, type Zone } from '#core/time/index';

/** Counts checks by their verdict at the time, and the distinct codes. */
export interface Tally {
  readonly checks: number;
  readonly codes: number;
  readonly verdicts: Readonly<Record<VerdictWord, number>>;
}

/** Counts the checks of one item, day or code. */
export interface ReportLine extends Tally {
  /** The item's name, the day as `2026-11-15`, or the code, masked. */
  readonly name: string;
  /** The item that a code is for, if known. */
  readonly item?: string;
}

export interface MonthReport extends Tally {
  /** Written as `2026-11`. */
  readonly month: string;
  /** How many of the checks were part of a bulk check. */
  readonly inBulk: number;
  /**
   * The tickets whose codes were checked singly and got an answer, and how many of them have purchases but none with
   * support. A code without a known ticket counts as one ticket.
   */
  readonly tickets: { readonly all: number; readonly withoutSupport: number };
  /** Every day of the month, in order. */
  readonly days: readonly ReportLine[];
  /** The items that were found, by number of checks, most first. */
  readonly items: readonly ReportLine[];
  /** The ten codes most often checked singly, if checked more than once. */
  readonly mostAsked: readonly ReportLine[];
}

const mostCodes = 10;

/**
 * Counts the checks of a month. Codes that an unfinished bulk check has not settled are not counted.
 * @param entries newest first; they may include other months
 * @param withBulk whether the checks of bulk checks are counted
 * @param unasked as `checksOf` takes it
 */
export function monthReportOf(
  entries: readonly HistoryEntry[],
  month: string,
  zone: Zone,
  withBulk: boolean,
  unasked?: Parameters<typeof checksOf>[1],
): MonthReport {
  const dayOf = calendarDays(zone);
  const [first, next] = daysAround(month);
  const all = checksOf(entries, unasked).filter((check) => {
    const day = dayOf(check.checkedAt);
    return day >= first && day < next && isSettled(check.group);
  });
  const singly = all.filter(({ by }) => by === 'agent');
  const checks = withBulk ? all : singly;
  const ofDay = Map.groupBy(checks, ({ checkedAt }) => dayOf(checkedAt));
  const ofItem = Map.groupBy(checks.filter(isFound), (check) =>
    JSON.stringify([check.connectionId, purchaseIn(succeed(check.answer))?.item.id]),
  );
  return {
    month,
    ...tallyOf(checks),
    inBulk: checks.filter(({ by }) => by === 'bulk').length,
    tickets: ticketsOf(singly),
    days: daysOfMonth(month).map((name, index) => ({
      name,
      ...tallyOf(ofDay.get(first + index) ?? []),
    })),
    items: mostFirst(
      [...ofItem.values()].map((some) => ({ name: itemOf(some), ...tallyOf(some) })),
    ),
    mostAsked: mostFirst(
      [...Map.groupBy(singly, ({ codeId }) => codeId).values()]
        .filter(({ length }) => length > 1)
        .map((some) => {
          const name = maskCode(some[0]?.code ?? '');
          return { name, item: itemOf(some.filter(isFound)), ...tallyOf(some) };
        }),
    ).slice(0, mostCodes),
  };
}

function ticketsOf(checks: readonly HistoryCheck[]): MonthReport['tickets'] {
  const answered = checks.filter(({ group }) => group !== 'fault');
  const tickets = [...Map.groupBy(answered, ({ ticket, codeId }) => ticket ?? codeId).values()];
  const withoutSupport = tickets.filter(
    (some) => some.some(isFound) && !some.some(({ group }) => group === 'supported'),
  );
  return { all: tickets.length, withoutSupport: withoutSupport.length };
}

function tallyOf(checks: readonly HistoryCheck[]): Tally {
  const codes = new Set(checks.map(({ codeId }) => codeId)).size;
  return {
    checks: checks.length,
    codes,
    verdicts: countVerdicts(checks.map(({ group }) => group)),
  };
}

function isFound({ answer }: HistoryCheck): boolean {
  return answer.kind === 'purchase';
}

function itemOf([latest]: readonly HistoryCheck[]): string {
  return latest === undefined ? '' : itemNameOf(succeed(latest.answer));
}

function mostFirst(lines: ReportLine[]): ReportLine[] {
  return lines.toSorted((a, b) => b.checks - a.checks || a.name.localeCompare(b.name));
}
