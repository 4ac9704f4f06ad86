import { emailsOf } from '#relay/admin/agents';
import { command, printCsv } from '#relay/admin/command';
import { type Store, type Stored, tallies } from '#relay/store/index';
import { isMonth, monthAt } from '#relay/month';
import { Problem } from '#relay/problem';

/** Prints the team's checks of one month from the audit, as CSV. It contains no codes, only what the audit stores of them. */
export const printReport = command(
  { takes: '--month YYYY-MM > FILE', options: { month: { type: 'string' } } },
  async (context, _, { month }) => {
    if (month === undefined || !isMonth(month)) {
      throw new Problem('Say for which month: --month 2026-11');
    }
    if (month > monthAt(context.now())) throw new Problem(`${month} is still to come.`);
    const { total, lists } = await readReport(context, month);
    const rows = lists.flatMap(([by, lines]) =>
      lines.map((line) => [by, line.name, ...line.numbers]),
    );
    printCsv(context, ['by', 'name', ...columns], ['month', month, ...total], ...rows);
  },
);

const columns = tallies.map((name) => name.replaceAll(' ', '_'));

type MonthLine = Stored<'monthLine'>;

/** A month's report, independent of its output format. Numbers are in the order of `tallies`. */
interface Report {
  readonly month: string;
  readonly writtenAt: string;
  readonly total: readonly number[];
  readonly lists: readonly (readonly [by: MonthLine['part'], lines: readonly Line[]])[];
}

interface Line {
  readonly name: string;
  /** For a code, its last four characters and the beginning of its HMAC. */
  readonly short: string;
  readonly numbers: readonly number[];
}

/** Reads the report of a month. @param reader the agent who asked for it, which the audit records */
export async function readReport(
  { store, now }: { readonly store: Store; readonly now: () => number },
  month: string,
  reader?: Pick<Stored<'auditSubject'>, 'agent' | 'token'>,
): Promise<Report> {
  const counted = await store.countMonth(month, reader);
  const emails = await emailsOf(store);
  const connections = new Map((await store.connections()).map(({ id, name }) => [id, name]));
  function nameOf({ part, name }: MonthLine): string {
    if (part === 'agent') return emails.get(name) ?? name;
    const known = part === 'connection' ? connections.get(name) : undefined;
    return known === undefined || known === name ? name : `${name} (${known})`;
  }
  function toLine(counts: MonthLine): Line {
    const name = nameOf(counts);
    const { part, last4 } = counts;
    const code = `${last4 === '' ? '' : `…${last4} `}(${name.slice(0, 12)})`;
    const numbers = tallies.map((tally) => counts[tally]);
    return { name, short: part === 'code' ? code : name, numbers };
  }
  const linesOf = (wanted: MonthLine['part']): readonly Line[] =>
    counted.filter(({ part }) => part === wanted).map(toLine);
  const parts = ['connection', 'agent', 'day', 'code'] as const;
  return {
    month,
    writtenAt: new Date(now()).toISOString(),
    total: linesOf('total')[0]?.numbers ?? [],
    lists: parts.map((by) => [by, linesOf(by)]),
  };
}

/** Formats a report for an agent's program: numbers under the names of the columns, and no codes. */
export function reportJson({ month, writtenAt, total, lists }: Report): object {
  const named = (numbers: readonly number[]): Record<string, number | undefined> =>
    Object.fromEntries(columns.map((column, n) => [column, numbers[n]]));
  const parts = lists.map(([by, lines]) => [
    `${by}s`,
    lines.map(({ short, numbers }) => ({ name: short, ...named(numbers) })),
  ]);
  return {
    month,
    written_at: writtenAt,
    total: named(total),
    ...(Object.fromEntries(parts) as object),
  };
}
