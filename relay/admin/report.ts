import { html, raw } from 'hono/html';

import { type Cell, writeCsv } from '#core/text/csv';
import { emailsOf } from '#relay/admin/agents';
import { AdminProblem, command } from '#relay/admin/command';
import { isMonth, monthAt, type Store } from '#relay/store/index';

/** Prints what the team has checked in one month, as the audit tells it. No code stands in it, but what the audit has of one. */
export const printReport = command(
  {
    takes: '--month YYYY-MM [--format text|csv|html] [> FILE]',
    options: { month: { type: 'string' }, format: { type: 'string', default: 'text' } },
  },
  async (context, _, { month, format }) => {
    if (month === undefined || !isMonth(month)) {
      throw new AdminProblem('Say for which month: --month 2026-11');
    }
    if (month > monthAt(context.now())) throw new AdminProblem(`${month} is still to come.`);
    const write = Object.hasOwn(writers, format) ? writers[format] : undefined;
    if (write === undefined) {
      throw new AdminProblem(`--format is one of ${Object.keys(writers).join(', ')}.`);
    }
    const report = await readReport(context, month);
    context.print((await write(report)).replace(/\n$/, ''));
  },
);

type MonthCount = Awaited<ReturnType<Store['countMonth']>>;
type Tally = MonthCount['total'];

/** Names what a report is read from. */
export type ReportStore = Pick<Store, 'agents' | 'connections' | 'countMonth'>;

/** Holds a month's report, ready to be written in any form. */
interface Report {
  readonly month: string;
  readonly writtenAt: string;
  readonly total: Tally;
  readonly sections: readonly Section[];
}

interface Section {
  /** One word for the CSV. */
  readonly by: 'connection' | 'agent' | 'day' | 'code';
  readonly title: string;
  readonly lines: readonly Line[];
}

interface Line {
  readonly name: string;
  /** What stands for the name where it is short of room. */
  readonly short: string;
  readonly tally: Tally;
}

/** Reads the report of a month. @param reader an agent who asked for it, which the audit then has */
export async function readReport(
  { store, now }: { readonly store: ReportStore; readonly now: () => number },
  month: string,
  reader?: Parameters<Store['countMonth']>[1],
): Promise<Report> {
  const { total, connections, agents, days, codes } = await store.countMonth(month, reader);
  const emails = await emailsOf(store);
  const names = new Map((await store.connections()).map(({ id, name }) => [id, name]));
  const lines = (
    tallies: MonthCount['agents'],
    nameOf: (key: string) => string = (key) => key,
  ): Line[] =>
    [...tallies].map(([key, tally]) => ({ name: nameOf(key), short: nameOf(key), tally }));
  const busiestFirst = (some: Line[]): Line[] =>
    some.toSorted((a, b) => b.tally.checks - a.tally.checks || (a.name < b.name ? -1 : 1));
  return {
    month,
    writtenAt: new Date(now()).toISOString(),
    total,
    sections: [
      {
        by: 'connection',
        title: 'By connection',
        lines: busiestFirst(
          lines(connections, (id) => {
            const name = names.get(id);
            return name === undefined || name === id ? id : `${id} (${name})`;
          }),
        ),
      },
      {
        by: 'agent',
        title: 'By agent',
        lines: busiestFirst(lines(agents, (id) => emails.get(id) ?? id)),
      },
      {
        by: 'day',
        title: 'By day (UTC)',
        lines: lines(days).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      },
      {
        by: 'code',
        title: 'Codes that most agents asked',
        lines: codes.map(({ hmac, last4, tally }) => ({
          name: hmac,
          short: `${last4 === '' ? '' : `…${last4} `}(${hmac.slice(0, 12)})`,
          tally,
        })),
      },
    ],
  };
}

/** Lists the numbers of a line with their names, in their order. */
const headings = [
  'checks',
  'found',
  'not found',
  'other answer',
  'no answer',
  'agents',
] as const satisfies (keyof Tally)[];
const numbersOf = (tally: Tally): number[] => headings.map((name) => tally[name]);

const explained =
  'A check is a question about a code. "found" and "not found" are what the marketplace answered; the audit does not have what support a purchase has. ' +
  '"other answer" is an error of the marketplace, "no answer" a failure on the way, or a reply that was withheld. A code is its last four characters and the beginning of its HMAC in the audit.';
const noShared = 'No code was asked by more than one agent.';

/** Writes a report as an agent's program reads it: numbers under the names of the columns, and no code in clear. */
export function reportJson({ month, writtenAt, total, sections }: Report): object {
  const numbers = (tally: Tally): object =>
    Object.fromEntries(headings.map((name) => [name.replaceAll(' ', '_'), tally[name]]));
  const lists = sections.map(({ by, lines }) => [
    `${by}s`,
    lines.map(({ short, tally }) => ({ name: short, ...numbers(tally) })),
  ]);
  return {
    month,
    written_at: writtenAt,
    total: numbers(total),
    ...(Object.fromEntries(lists) as object),
  };
}

/** Repeats the headings of a table on each sheet that it is printed on. */
const style = `
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 0.875rem/1.4 system-ui, sans-serif; color: #111; background: #fff; }
h1 { font-size: 1.375rem; }
table { width: 100%; margin: 0 0 1.5rem; border-collapse: collapse; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { padding: 0.2rem 0.4rem; border-bottom: 1px solid #bbb; text-align: end; font-variant-numeric: tabular-nums; }
th:first-child { text-align: start; overflow-wrap: anywhere; }
th:not(:first-child), td { width: 6rem; }
tbody th { font-weight: normal; }
@page { margin: 15mm; }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 9pt; } }
`;

type Write = (report: Report) => string | Promise<string>;

const writers: Readonly<Record<string, Write>> = {
  text: ({ month, total, sections }) => {
    const table = (title: string, lines: readonly Line[]): string[] => [
      '',
      ...align([
        [title, ...headings],
        ...lines.map(({ short, tally }) => [short, ...numbersOf(tally).map(String)]),
      ]),
    ];
    return [
      `Checks in ${month}`,
      ...table('', [{ name: '', short: 'In all', tally: total }]),
      ...sections.flatMap(({ by, title, lines }) =>
        lines.length === 0 ? (by === 'code' ? ['', noShared] : []) : table(title, lines),
      ),
      '',
      ...wrap(explained),
    ].join('\n');
  },

  csv: ({ month, total, sections }) => {
    const row = (by: string, name: string, tally: Tally): Cell[] => [by, name, ...numbersOf(tally)];
    return writeCsv([
      ['by', 'name', ...headings.map((heading) => heading.replaceAll(' ', '_'))],
      row('month', month, total),
      ...sections.flatMap(({ by, lines }) => lines.map(({ name, tally }) => row(by, name, tally))),
    ]);
  },

  html: async ({ month, writtenAt, total, sections }) => {
    const table = (title: string, lines: readonly Line[]): unknown => html`
      <table>
        <thead>
          <tr>
            <th scope="col">${title}</th>
            ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${lines.map(
            ({ short, tally }) =>
              html`<tr>
                <th scope="row"><bdi>${short}</bdi></th>
                ${numbersOf(tally).map((number) => html`<td>${String(number)}</td>`)}
              </tr> `,
          )}
        </tbody>
      </table>
    `;
    const page = await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta
            http-equiv="Content-Security-Policy"
            content="default-src 'none'; style-src 'unsafe-inline'"
          />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Checks in ${month}</title>
          ${raw(`<style>${style}</style>`)}
        </head>
        <body>
          <h1>Checks in ${month}</h1>
          ${table('', [{ name: '', short: 'In all', tally: total }])}
          ${sections.map(({ by, title, lines }) =>
            lines.length > 0 ? table(title, lines) : by === 'code' ? html`<p>${noShared}</p>` : '',
          )}
          <p>${explained}</p>
          <p>Written ${writtenAt}</p>
        </body>
      </html> `;
    return String(page);
  },
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
