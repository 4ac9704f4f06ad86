import { expect, test } from 'vitest';

import { countMonth } from '#relay/rules/month-count';
import type { AuditRow } from '#relay/store/records';

const at = Date.UTC(2026, 10, 15, 23, 59);
let id = 0;
const row = (fields: Partial<AuditRow>): AuditRow => ({
  id: (id += 1),
  at,
  kind: 'reply',
  result: 'asked',
  callId: 'c1',
  agent: 'ada',
  connection: 'shop',
  call: 'validation',
  codeHmac: 'aa',
  codeLast4: '1234',
  ...fields,
});

function count(...rows: readonly AuditRow[]) {
  const counting = countMonth();
  rows.forEach(counting.add);
  return counting.end();
}

test.each([
  ['success', 'found'],
  ['404', 'not found'],
  ['200', 'other answer'],
  ['500', 'other answer'],
] as const)('a check whose call ended with %s is "%s"', (result, verdict) => {
  const { total } = count(row({ kind: 'intent' }), row({ kind: 'outcome', result }), row({}));
  expect(total).toMatchObject({ checks: 1, [verdict]: 1 });
});

test('a check that joined another call has the verdict of that call', () => {
  const { total, agents } = count(
    row({ kind: 'outcome', result: '404' }),
    row({ callId: 'c2', agent: 'bob', result: 'shared' }),
    row({}),
  );
  expect(total['not found']).toBe(2);
  expect(agents.get('bob')).toMatchObject({ checks: 1, 'not found': 1 });
});

test('a reply that was withheld or not begun counts once, as no answer', () => {
  const { total } = count(
    row({ kind: 'outcome', result: 'success' }),
    row({}),
    row({ result: 'withheld' }),
    row({ callId: 'c2', result: 'cached' }),
    row({ callId: 'c2', result: 'not-begun' }),
  );
  expect(total).toMatchObject({ checks: 2, found: 0, 'no answer': 2 });
});

test('other calls and changes by the administrator are no checks', () => {
  const { total } = count(row({ call: 'items' }), { id: 1, at, kind: 'admin', result: 'key-set' });
  expect(total.checks).toBe(0);
});

test('of the codes that several agents asked, the ten with most agents are listed, then with most checks', () => {
  const ask = (code: string, ...agents: readonly string[]): AuditRow[] =>
    agents.map((agent, n) =>
      row({ agent, callId: `${code}-${String(n)}`, codeHmac: code, result: 'cached' }),
    );
  const two = Array.from({ length: 11 }, (_, n) =>
    ask(`two-${String(n).padStart(2, '0')}`, 'a', 'b'),
  );
  const { codes } = count(
    ...two.flat(),
    ...ask('three', 'a', 'b', 'c'),
    ...ask('often', 'a', 'b', 'a'),
    ...ask('alone', 'a', 'a', 'a', 'a'),
    ...ask('', 'a', 'b', 'c', 'd'),
  );
  expect(codes).toHaveLength(10);
  expect(codes.slice(0, 3).map(({ hmac }) => hmac)).toEqual(['three', 'often', 'two-00']);
  expect(codes[0]?.tally).toMatchObject({ agents: 3, checks: 3 });
});
