import { dayMs } from '#core/time/index';
import { type Stored, verdicts } from '#relay/store/records';
import { recordOf } from '#relay/store/rows';
import type { Row } from '#relay/store/sql';

const tally = [
  'count(*) AS checks',
  ...verdicts.map((name) => `count(*) FILTER (WHERE verdict = '${name}') AS "${name}"`),
  'count(DISTINCT agent) AS agents',
].join(', ');
const part = (name: string, column: string): string =>
  `SELECT '${name}' AS part, ${column} AS name, '' AS last4, ${tally} FROM checked GROUP BY ${column}`;

/**
 * Returns the statement that counts the checks whose last reply was in one month, in SQL for both databases, so that the audit does not
 * leave its database. Days are in order; everything else is sorted by checks, most first.
 * @param from where the month begins, and `to` where it ends: epoch milliseconds, in SQL
 */
export const countMonthSql = (from: string, to: string): string => `
  WITH told AS (
    SELECT id, at, at / 86400000 AS day, kind, result, agent, connection, code_hmac, code_last4,
      -- A reply that was withheld or not begun has a second row, which counts.
      row_number() OVER (PARTITION BY call_id, kind ORDER BY id DESC) AS nth_last,
      max(CASE WHEN kind = 'outcome' THEN id END) OVER (PARTITION BY call_id) AS own_outcome,
      -- A call without an outcome took the answer of another one: of its instance, or out of the cache.
      max(CASE WHEN kind = 'outcome' THEN id END) OVER (PARTITION BY connection, code_hmac ORDER BY id) AS last_outcome
    -- A call may begin before midnight and end after it, and takes less than an hour.
    FROM audit WHERE at >= ${from} - 3600000 AND at < ${to} + 3600000
      AND call = 'validation' AND kind IN ('outcome', 'reply')
  ), checked AS (
    SELECT told.agent, told.connection, told.day, told.code_hmac, told.code_last4,
      CASE
        -- Only a purchase that was found is answered from the cache.
        WHEN told.result = 'cached' THEN 'found'
        WHEN told.result NOT IN ('asked', 'shared') THEN 'no answer'
        ELSE CASE coalesce(outcome.result, 'success')
          WHEN 'success' THEN 'found' WHEN '404' THEN 'not found' WHEN 'not-found' THEN 'not found' ELSE 'other answer' END
      END AS verdict
    FROM told LEFT JOIN told AS outcome ON outcome.id = coalesce(told.own_outcome, told.last_outcome)
    WHERE told.kind = 'reply' AND told.nth_last = 1 AND told.at >= ${from} AND told.at < ${to}
  ), shared AS (
    SELECT 'code' AS part, code_hmac AS name, max(code_last4) AS last4, ${tally} FROM checked
    WHERE code_hmac <> '' GROUP BY code_hmac HAVING count(DISTINCT agent) > 1
    ORDER BY agents DESC, checks DESC, name LIMIT 10
  )
  SELECT * FROM (SELECT 'total' AS part, '' AS name, '' AS last4, ${tally} FROM checked
  UNION ALL ${part('connection', 'connection')}
  UNION ALL ${part('agent', 'agent')}
  UNION ALL ${part('day', 'CAST(day AS text)')}
  UNION ALL SELECT * FROM shared) AS counted
  ORDER BY part, CASE part WHEN 'day' THEN name END, CASE part WHEN 'code' THEN agents END DESC, checks DESC, name`;

/** Reads a row of the statement, in which days are numbers. */
export function toMonthLine(row: Row): Stored<'monthLine'> {
  const line = recordOf<Stored<'monthLine'>>(row);
  if (line.part !== 'day') return line;
  return { ...line, name: new Date(Number(line.name) * dayMs).toISOString().slice(0, 10) };
}
