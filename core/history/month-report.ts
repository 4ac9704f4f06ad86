import { itemNameOf, type RowGroup, rowGroups } from '#core/bulk/table';
import { maskCode } from '#core/check/code-spelling';
import { purchaseIn } from '#core/check/check-report';
import type { HistoryEntry, TimeSpan } from '#core/history/entry';
import { checksOf, countChecks, type HistoryCheck } from '#core/history/table';
import { succeed } from '#core/result';
import { type Zone, calendarDays } from '#core/time/duration';
import { dayMs } from '#core/time/units';

/** Lists what a report counts, in its order: all that a check can have come to. */
export const reportVerdicts = rowGroups.filter(
  (group) => group !== 'other-item' && group !== 'waiting',
);

/** Counts checks, each of which has one verdict of the moment it was made, and the codes they are of. */
export interface Tally {
  readonly checks: number;
  readonly codes: number;
  readonly verdicts: Readonly<Record<RowGroup, number>>;
}

/** Counts the checks of one item, day or code. */
export interface ReportLine extends Tally {
  /** The item's name, the day as `2026-11-15`, or the code, masked. */
  readonly name: string;
  /** The item that a code was bought for, where it is known. */
  readonly item?: string;
}

/** Counts the checks of one month. */
export interface MonthReport extends Tally {
  /** As `2026-11`. */
  readonly month: string;
  /** How many of the checks were part of a bulk check. */
  readonly inBulk: number;
  /**
   * The tickets of the codes that were checked one by one, and those of them where a purchase was found and none is supported. A code
   * whose ticket is not known counts as a ticket.
   */
  readonly tickets: { readonly all: number; readonly withoutSupport: number };
  /** Every day of the month, in order. */
  readonly days: readonly ReportLine[];
  /** The items that were found, those with the most checks first. */
  readonly items: readonly ReportLine[];
  /** The ten codes checked most often one by one, of those checked more than once. */
  readonly mostAsked: readonly ReportLine[];
}

const mostCodes = 10;

/** Returns the month of a moment as the zone's calendar shows it: `2026-11`. */
export function monthAt(at: number, zone: Zone): string {
  return dateOf(calendarDays(zone)(at)).slice(0, 7);
}

/** Returns a span that holds a month in every zone. */
export function aroundMonth(month: string): TimeSpan {
  const [first, next] = daysAround(month);
  return { from: (first - 1) * dayMs, to: (next + 1) * dayMs };
}

/** Lists the months from that of one moment to that of a later one, the latest first. */
export function monthsBetween(from: number, to: number, zone: Zone): string[] {
  const months = [monthAt(to, zone)];
  const first = monthAt(from, zone);
  for (let last = months[0] ?? first; last > first; months.push(last)) {
    const [start] = daysAround(last);
    last = dateOf(start - 1).slice(0, 7);
  }
  return months;
}

/** Lists the days of a month, as `2026-11-15`. */
export function daysOfMonth(month: string): string[] {
  const [first, next] = daysAround(month);
  return Array.from({ length: next - first }, (_, place) => dateOf(first + place));
}

/**
 * Counts the checks of a month.
 * @param entries the latest first, those of other months among them
 * @param withBulk whether the checks of bulk checks are counted
 */
export function monthReportOf(
  entries: readonly HistoryEntry[],
  month: string,
  zone: Zone,
  withBulk: boolean,
): MonthReport {
  const dayOf = calendarDays(zone);
  const [first, next] = daysAround(month);
  const all = checksOf(entries).filter(({ checkedAt }) => {
    const day = dayOf(checkedAt);
    return day >= first && day < next;
  });
  const singly = all.filter(({ by }) => by === 'agent');
  const checks = withBulk ? all : singly;
  const ofDay = Map.groupBy(checks, ({ checkedAt }) => dayOf(checkedAt));
  const days = Array.from({ length: next - first }, (_, place) => first + place);
  const ofItem = Map.groupBy(checks.filter(isFound), (check) =>
    JSON.stringify([check.connectionId, purchaseIn(succeed(check.answer))?.item.id]),
  );
  return {
    month,
    ...tallyOf(checks),
    inBulk: checks.filter(({ by }) => by === 'bulk').length,
    tickets: ticketsOf(singly),
    days: days.map((day) => ({ name: dateOf(day), ...tallyOf(ofDay.get(day) ?? []) })),
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
  const tickets = [...Map.groupBy(checks, ({ ticket, codeId }) => ticket ?? codeId).values()];
  const withoutSupport = tickets.filter(
    (some) => some.some(isFound) && countChecks(some).supported === 0,
  );
  return { all: tickets.length, withoutSupport: withoutSupport.length };
}

function tallyOf(checks: readonly HistoryCheck[]): Tally {
  const codes = new Set(checks.map(({ codeId }) => codeId)).size;
  return { checks: checks.length, codes, verdicts: countChecks(checks) };
}

function isFound({ answer }: HistoryCheck): boolean {
  return answer.kind === 'purchase';
}

/** Returns the item's name in the latest of these checks. */
function itemOf([latest]: readonly HistoryCheck[]): string {
  return latest === undefined ? '' : itemNameOf(succeed(latest.answer));
}

function mostFirst(lines: ReportLine[]): ReportLine[] {
  return lines.toSorted((a, b) => b.checks - a.checks || a.name.localeCompare(b.name));
}

/** Returns the first day of a month and of the next one, counted from 1 January 1970. */
function daysAround(month: string): [number, number] {
  const [year = 1970, number = 1] = month.split('-').map(Number);
  return [Date.UTC(year, number - 1) / dayMs, Date.UTC(year, number) / dayMs];
}

/** @param day counted from 1 January 1970 */
function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
