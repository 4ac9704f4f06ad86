import type { Formats } from '#components/formats';
import type { Catalogue } from '#components/i18n';
import { groupName } from '#components/check/verdict/group-name';
import { groupTone } from '#components/check/verdict/group-tone';
import type { Tone } from '#components/ui/tone';
import type { MonthReport } from '#core/history/index';
import { verdicts } from '#core/verdict/index';
import { type TeamReport, teamVerdicts } from '#core/team/index';
import type { Cell } from '#core/tables/index';
import { visibleText } from '#core/text/index';

/** The counts of one day, or of the subject of a line. */
export interface SheetLine {
  readonly name: string;
  readonly checks: number;
  /** The number of distinct codes, if counted. */
  readonly codes?: number;
  readonly verdicts: Readonly<Record<string, number>>;
  /** The text beside the name, in a table with a second column. */
  readonly more?: string;
}

/** A month's report for showing and saving, from this browser or the relay. */
export interface Sheet {
  readonly month: string;
  readonly checks: number;
  /** Each verdict, in order, with its number of checks. */
  readonly verdicts: readonly {
    readonly name: string;
    readonly label: string;
    readonly tone: Tone;
    readonly count: number;
  }[];
  readonly figures: readonly {
    readonly title: string;
    readonly value: string;
    readonly why?: string;
  }[];
  readonly days: readonly SheetLine[];
  readonly tables: readonly SheetTable[];
  readonly csv: readonly (readonly Cell[])[];
}

interface SheetTable {
  readonly title: string;
  readonly heading: string;
  /** The heading of a second column, if there is one. */
  readonly more?: string;
  /** True if the second column holds numbers. */
  readonly countsMore?: boolean;
  readonly lines: readonly SheetLine[];
  /** How many verdicts, from the first, have a column. */
  readonly verdictColumns: number;
  readonly isOfCodes?: boolean;
}

type Words = Pick<Catalogue, 't'> & Pick<Formats, 'number' | 'percent'>;

/** The verdicts that a report lists even if there are none. */
const usual: readonly string[] = ['supported', 'lapsed', 'no-support', 'not-found'];

/** Puts the report of this browser's history into words. */
export function ownSheet(report: MonthReport, words: Words): Sheet {
  const { t, number } = words;
  const { month, checks, codes, inBulk, tickets, days, items, mostAsked } = report;
  const { all, withoutSupport } = tickets;
  const counted = verdicts
    .map((name) => ({
      name,
      label: groupName(t, name),
      tone: groupTone(name),
      count: report.verdicts[name],
    }))
    .filter(({ name, count }) => count > 0 || usual.includes(name));
  const item = t('desk.bulk.columns.item');
  const notFound = t('desk.verdict.not-found');
  return {
    month,
    checks,
    verdicts: counted,
    days,
    figures: [
      {
        title: t('desk.report.checks'),
        value: number(checks),
        why: inBulk === 0 ? '' : t('desk.report.inBulk', { count: number(inBulk) }, inBulk),
      },
      { title: t('desk.report.codes'), value: number(codes) },
      {
        title: t('desk.report.withoutSupport'),
        value: shareOf(withoutSupport, all, words),
        why: t('desk.report.ofTickets', { some: number(withoutSupport), count: number(all) }, all),
      },
      shareOfChecks(t('desk.report.notFound'), report.verdicts['not-found'], checks, words),
    ],
    tables: [
      { title: t('desk.report.items'), heading: item, lines: items, verdictColumns: 3 },
      {
        title: t('desk.report.mostAsked'),
        heading: t('desk.bulk.columns.code'),
        more: item,
        lines: mostAsked.map((line) => {
          const { item: bought = '', verdicts: counts } = line;
          const isMissing = bought === '' && counts['not-found'] > 0;
          return { ...line, more: isMissing ? notFound : visibleText(bought) };
        }),
        verdictColumns: 0,
        isOfCodes: true,
      },
    ],
    csv: csvOf(
      words,
      counted,
      [
        [item, ({ item: bought = '' }) => bought],
        [t('desk.report.codes'), (line) => line.codes],
      ],
      [
        ['month', [{ ...report, name: month }]],
        ['day', days],
        ['item', items],
        ['code', mostAsked],
      ],
    ),
  };
}

/** Puts the report of a team's relay into words. Its texts come from outside, and are shown as text. */
export function teamSheet(report: TeamReport, words: Words): Sheet {
  const { t, number } = words;
  const { month, checks, agents, days, connections, agentLines, codes } = report;
  const looks = {
    found: ['desk.report.team.found', 'good'],
    'not-found': ['desk.verdict.not-found', 'bad'],
    'other-answer': ['desk.report.team.otherAnswer', 'warn'],
    'no-answer': ['answer.noAnswer', 'note'],
  } as const;
  const verdicts = teamVerdicts.map((name) => {
    const [label, tone] = looks[name];
    return { name, label: t(label), tone, count: report.verdicts[name] };
  });
  const ofAgents = t('desk.report.team.agents');
  return {
    month,
    checks,
    verdicts,
    days,
    figures: [
      { title: t('desk.report.checks'), value: number(checks) },
      { title: ofAgents, value: number(agents) },
      shareOfChecks(t('desk.report.notFound'), report.verdicts['not-found'], checks, words),
      shareOfChecks(t('answer.noAnswer'), report.verdicts['no-answer'], checks, words),
    ],
    tables: [
      {
        title: t('desk.report.team.connections'),
        heading: t('desk.bulk.columns.connection'),
        lines: connections,
        verdictColumns: 4,
      },
      {
        title: t('desk.report.team.byAgent'),
        heading: t('desk.report.team.agent'),
        lines: agentLines,
        verdictColumns: 4,
      },
      {
        title: t('desk.report.team.codes'),
        heading: t('desk.bulk.columns.code'),
        more: ofAgents,
        countsMore: true,
        lines: codes.map((line) => ({ ...line, more: number(line.agents) })),
        verdictColumns: 0,
        isOfCodes: true,
      },
    ],
    csv: csvOf(
      words,
      verdicts,
      [[ofAgents, (line) => line.agents]],
      [
        ['month', [{ ...report, name: month }]],
        ['day', days],
        ['connection', connections],
        ['agent', agentLines],
        ['code', codes],
      ],
    ),
  };
}

function shareOf(some: number, all: number, { percent }: Words): string {
  return all === 0 ? '–' : percent(some / all);
}

function shareOfChecks(
  title: string,
  some: number,
  all: number,
  words: Words,
): Sheet['figures'][number] {
  const count = { some: words.number(some), count: words.number(all) };
  return {
    title,
    value: shareOf(some, all, words),
    why: words.t('desk.report.ofChecks', count, all),
  };
}

/** Writes a table of all lines, one kind after the other. */
function csvOf<Line extends SheetLine>(
  { t }: Words,
  verdicts: Sheet['verdicts'],
  own: readonly (readonly [string, (line: Line) => Cell])[],
  kinds: readonly (readonly [string, readonly Line[]])[],
): Cell[][] {
  return [
    [
      t('desk.report.by'),
      t('desk.reply.name'),
      ...own.map(([heading]) => heading),
      t('desk.report.checks'),
      ...verdicts.map(({ label }) => label),
    ],
    ...kinds.flatMap(([by, lines]) =>
      lines.map((line) => [
        by,
        line.name,
        ...own.map(([, read]) => read(line)),
        line.checks,
        ...verdicts.map(({ name }) => line.verdicts[name] ?? 0),
      ]),
    ),
  ];
}
