import { writeCsv } from '#core/text/csv';
import { emailsOf } from '#relay/admin/agents';
import { command } from '#relay/admin/command';
import { isMonth, monthAt, type Store } from '#relay/store/index';
import { Problem } from '#relay/problem';

/** Prints what the team has checked in one month, as the audit tells it. No code stands in it, but what the audit has of one. */
export const printReport = command(
  {
    takes: '--month YYYY-MM [--format text|csv] [> FILE]',
    options: { month: { type: 'string' }, format: { type: 'string', default: 'text' } },
  },
  async (context, _, { month, format }) => {
    if (month === undefined || !isMonth(month)) {
      throw new Problem('Say for which month: --month 2026-11');
    }
    if (month > monthAt(context.now())) throw new Problem(`${month} is still to come.`);
    const write = Object.hasOwn(writers, format) ? writers[format] : undefined;
    if (write === undefined) {
      throw new Problem(`--format is one of ${Object.keys(writers).join(', ')}.`);
    }
    const report = await readReport(context, month);
    context.print(write(report).replace(/\n$/, ''));
  },
);

type MonthLine = Awaited<ReturnType<Store['countMonth']>>[number];

/** Holds a month's report, ready to be written in any form. */
interface Report {
  readonly month: string;
  readonly writtenAt: string;
  readonly total: readonly Line[];
  readonly sections: readonly {
    readonly by: keyof typeof titles;
    readonly lines: readonly Line[];
  }[];
}

interface Line {
  readonly name: string;
  /** A shorter name for a narrow column. */
  readonly short: string;
  readonly tally: Pick<MonthLine, (typeof headings)[number]>;
}

const titles = {
  connection: 'By connection',
  agent: 'By agent',
  day: 'By day (UTC)',
  code: 'Codes that most agents asked',
} as const;

/** Lists the numbers of a line with their names, in their order. */
const headings = [
  'checks',
  'found',
  'not found',
  'other answer',
  'no answer',
  'agents',
] as const satisfies (keyof MonthLine)[];
const numbersOf = ({ tally }: Line): number[] => headings.map((name) => tally[name]);

/** Reads the report of a month. @param reader an agent who asked for it, which the audit then has */
export async function readReport(
  { store, now }: { readonly store: Store; readonly now: () => number },
  month: string,
  reader?: Parameters<Store['countMonth']>[1],
): Promise<Report> {
  const counted = await store.countMonth(month, reader);
  const emails = await emailsOf(store);
  const connections = new Map((await store.connections()).map(({ id, name }) => [id, name]));
  function nameOf({ part, name }: MonthLine): string {
    if (part === 'agent') return emails.get(name) ?? name;
    const known = part === 'connection' ? connections.get(name) : undefined;
    return known === undefined || known === name ? name : `${name} (${known})`;
  }
  function toLine(tally: MonthLine): Line {
    const name = nameOf(tally);
    const { part, last4 } = tally;
    const code = `${last4 === '' ? '' : `…${last4} `}(${name.slice(0, 12)})`;
    return { name, short: part === 'code' ? code : name, tally };
  }
  const linesOf = (wanted: MonthLine['part']): readonly Line[] =>
    counted.filter(({ part }) => part === wanted).map(toLine);
  const parts = ['connection', 'agent', 'day', 'code'] as const;
  return {
    month,
    writtenAt: new Date(now()).toISOString(),
    total: linesOf('total').map((line) => ({ ...line, short: 'In all' })),
    sections: parts.map((by) => ({ by, lines: linesOf(by) })),
  };
}

const explained =
  'A check is a question about a code. "found" and "not found" are what the marketplace answered; the audit does not have what support a purchase has. ' +
  '"other answer" is an error of the marketplace, "no answer" a failure on the way, or a reply that was withheld. A code is its last four characters and the beginning of its HMAC in the audit.';

/** Writes a report as an agent's program reads it: numbers under the names of the columns, and no code in clear. */
export function reportJson({ month, writtenAt, total, sections }: Report): object {
  const numbers = (line: Line): object =>
    Object.fromEntries(numbersOf(line).map((number, n) => [columns[n], number])) as object;
  const lists = sections.map(({ by, lines }) => [
    `${by}s`,
    lines.map((line) => ({ name: line.short, ...numbers(line) })),
  ]);
  return {
    month,
    written_at: writtenAt,
    total: Object.assign({}, ...total.map(numbers)) as object,
    ...(Object.fromEntries(lists) as object),
  };
}

const columns = headings.map((heading) => heading.replaceAll(' ', '_'));

const writers: Readonly<Record<string, (report: Report) => string>> = {
  text: ({ month, total, sections }) => {
    const table = (title: string, lines: readonly Line[]): string[] => [
      '',
      ...align([
        [title, ...headings],
        ...lines.map((line) => [line.short, ...numbersOf(line).map(String)]),
      ]),
    ];
    const shown = sections.filter(({ lines }) => lines.length > 0);
    return [
      `Checks in ${month}`,
      ...table('', total),
      ...shown.flatMap(({ by, lines }) => table(titles[by], lines)),
      ...(shown.some(({ by }) => by === 'code')
        ? []
        : ['', 'No code was asked by more than one agent.']),
      '',
      ...wrap(explained),
    ].join('\n');
  },

  csv: ({ month, total, sections }) =>
    writeCsv([
      ['by', 'name', ...columns],
      ...total.map((line) => ['month', month, ...numbersOf(line)]),
      ...sections.flatMap(({ by, lines }) =>
        lines.map((line) => [by, line.name, ...numbersOf(line)]),
      ),
    ]),
};

/** Aligns the first column to the left, and the numbers to the right. */
function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}

/** Breaks a text into lines of at most 100 characters. */
function wrap(text: string): string[] {
  return text.match(/\S.{0,98}(?=\s|$)/g) ?? [];
}
