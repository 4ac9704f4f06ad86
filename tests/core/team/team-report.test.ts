import { expect, test } from 'vitest';

import { readTeamReport } from '#core/team/team-report';

const tally = { checks: 6, found: 3, not_found: 1, other_answer: 2, no_answer: 0, agents: 2 };
const verdicts = { found: 3, 'not-found': 1, 'other-answer': 2, 'no-answer': 0 };
const sent = {
  month: '2026-11',
  written_at: '2026-11-25T12:00:00.000Z',
  total: tally,
  connections: [{ name: 'shop (Shop)', ...tally }],
  agents: [],
  days: [{ name: '2026-11-15', ...tally }],
  codes: [{ name: '…a1b2 (0123456789ab)', ...tally }],
};

test('what a relay counts is read with the names that we have', () => {
  const line = { checks: 6, agents: 2, verdicts };
  expect(readTeamReport(sent, '2026-11')).toEqual({
    month: '2026-11',
    ...line,
    connections: [{ name: 'shop (Shop)', ...line }],
    agentLines: [],
    days: [{ name: '2026-11-15', ...line }],
    codes: [{ name: '…a1b2 (0123456789ab)', ...line }],
  });
});

test.each([
  ['another month', { month: '2026-10' }],
  ['no total', { total: undefined }],
  ['a count that is none', { total: { ...tally, found: -1 } }],
  ['a count that is text', { agents: [{ name: 'ada', ...tally, checks: '6' }] }],
  ['a name without an end', { agents: [{ name: 'a'.repeat(1001), ...tally }] }],
  ['a list that is none', { codes: {} }],
])('a report with %s is not read', (_what, change) => {
  expect(readTeamReport({ ...sent, ...change }, '2026-11')).toBeUndefined();
});
