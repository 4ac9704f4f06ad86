import { dayMs } from '#core/time/units';

/** Lists what may become of a check, as the audit tells it: not which support a purchase has. */
const verdicts = ['found', 'not found', 'other answer', 'no answer'] as const;

/** Counts checks, each of which has one verdict. */
interface Tally extends Readonly<Record<(typeof verdicts)[number], number>> {
  readonly checks: number;
  /** How many different agents made them. */
  readonly agents: number;
}

/** Counts the checks of a month. */
export interface MonthCount {
  readonly total: Tally;
  /** By the ids of connections. */
  readonly connections: ReadonlyMap<string, Tally>;
  /** By the ids of agents. */
  readonly agents: ReadonlyMap<string, Tally>;
  /** By days in UTC, `2026-11-15`. */
  readonly days: ReadonlyMap<string, Tally>;
  /** Of the codes that several agents have asked, the ten that most have, then those that were asked most often. */
  readonly codes: readonly {
    readonly hmac: string;
    readonly last4: string;
    readonly tally: Tally;
  }[];
}

/** Holds a row of `countMonthSql`. */
export interface MonthCountRow {
  readonly part: 'total' | 'connection' | 'agent' | 'day' | 'code';
  readonly name: string;
  readonly last4: string;
  readonly checks: number;
  readonly found: number;
  readonly not_found: number;
  readonly other_answer: number;
  readonly no_answer: number;
  readonly agents: number;
}

const tally = `count(*) AS checks,
  count(*) FILTER (WHERE verdict = 'found') AS found,
  count(*) FILTER (WHERE verdict = 'not found') AS not_found,
  count(*) FILTER (WHERE verdict = 'other answer') AS other_answer,
  count(*) FILTER (WHERE verdict = 'no answer') AS no_answer,
  count(DISTINCT agent) AS agents`;
const part = (name: string, column: string): string =>
  `SELECT '${name}' AS part, ${column} AS name, '' AS last4, ${tally} FROM checked GROUP BY ${column}`;

/**
 * Returns the statement that counts the checks of one month, in the SQL that both databases know: the audit does not leave its
 * database.
 * @param rows a table or a subquery with the month's rows of the audit
 */
export const countMonthSql = (rows: string): string => `
  WITH told AS (
    SELECT id, at / 86400000 AS day, kind, result, agent, connection, code_hmac, code_last4,
      -- A reply that was withheld or not begun has a second row, which counts.
      row_number() OVER (PARTITION BY call_id, kind ORDER BY id DESC) AS nth_last,
      max(CASE WHEN kind = 'outcome' THEN id END) OVER (PARTITION BY call_id) AS own_outcome,
      -- A call without an outcome took the answer of another one: of its instance, or out of the cache.
      max(CASE WHEN kind = 'outcome' THEN id END) OVER (PARTITION BY connection, code_hmac ORDER BY id) AS last_outcome
    FROM ${rows} WHERE call = 'validation' AND kind IN ('outcome', 'reply')
  ), checked AS (
    SELECT told.agent, told.connection, told.day, told.code_hmac, told.code_last4,
      CASE
        -- Only a purchase that was found is answered from the cache.
        WHEN told.result = 'cached' THEN 'found'
        WHEN told.result NOT IN ('asked', 'shared') THEN 'no answer'
        ELSE CASE coalesce(outcome.result, 'success')
          WHEN 'success' THEN 'found' WHEN '404' THEN 'not found' ELSE 'other answer' END
      END AS verdict
    FROM told LEFT JOIN told AS outcome ON outcome.id = coalesce(told.own_outcome, told.last_outcome)
    WHERE told.kind = 'reply' AND told.nth_last = 1
  ), shared AS (
    SELECT 'code' AS part, code_hmac AS name, max(code_last4) AS last4, ${tally} FROM checked
    WHERE code_hmac <> '' GROUP BY code_hmac HAVING count(DISTINCT agent) > 1
    ORDER BY agents DESC, checks DESC, name LIMIT 10
  )
  SELECT 'total' AS part, '' AS name, '' AS last4, ${tally} FROM checked
  UNION ALL ${part('connection', 'connection')}
  UNION ALL ${part('agent', 'agent')}
  UNION ALL ${part('day', 'CAST(day AS text)')}
  UNION ALL SELECT * FROM shared`;

/** Reads what the statement has returned; no rows where the month has no audit. */
export function readMonthCount(rows: readonly MonthCountRow[]): MonthCount {
  const of = (part: MonthCountRow['part']): readonly MonthCountRow[] =>
    rows.filter((row) => row.part === part);
  const byName = (
    part: MonthCountRow['part'],
    nameOf = (name: string): string => name,
  ): ReadonlyMap<string, Tally> => new Map(of(part).map((row) => [nameOf(row.name), tallyOf(row)]));
  const [total] = of('total');
  return {
    total: tallyOf(total),
    connections: byName('connection'),
    agents: byName('agent'),
    days: byName('day', (day) => new Date(Number(day) * dayMs).toISOString().slice(0, 10)),
    codes: of('code')
      .map((row) => ({ hmac: row.name, last4: row.last4, tally: tallyOf(row) }))
      .toSorted(
        (a, b) =>
          b.tally.agents - a.tally.agents ||
          b.tally.checks - a.tally.checks ||
          (a.hmac < b.hmac ? -1 : 1),
      ),
  };
}

function tallyOf(row: MonthCountRow | undefined): Tally {
  return {
    checks: row?.checks ?? 0,
    found: row?.found ?? 0,
    'not found': row?.not_found ?? 0,
    'other answer': row?.other_answer ?? 0,
    'no answer': row?.no_answer ?? 0,
    agents: row?.agents ?? 0,
  };
}

/** Counts one month at a time, and once for all who ask for the same meanwhile: anybody whose role sees the report may ask. */
export function shareCounts(
  count: (month: string) => Promise<MonthCount>,
): (month: string) => Promise<MonthCount> {
  const underWay = new Map<string, Promise<MonthCount>>();
  let last: Promise<unknown> = Promise.resolve();
  return (month) => {
    const found = underWay.get(month);
    if (found !== undefined) return found;
    const counted = last
      .then(() => count(month))
      .finally(() => {
        underWay.delete(month);
      });
    last = counted.catch(() => undefined);
    underWay.set(month, counted);
    return counted;
  };
}
