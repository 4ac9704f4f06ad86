import { expect, test } from 'vitest';

import { summariseAnswer, type OutcomeSummary } from '#core/check/index';
import { reportsToRefresh } from '#core/verdict/index';
import { fail, succeed } from '#core/result';
import { now, purchase } from '#tests/stores/check/samples';
import { awaitedOf, codeRowsOf, connectionsOf } from '#core/jobs/code-rows';
import { type BulkRow, rowsFor } from '#core/jobs/job';

const hit = succeed(summariseAnswer({ kind: 'purchase', purchase: purchase() }));
const missing: OutcomeSummary = succeed({ kind: 'not-found', msg: '', key: 'good', proven: true });
const failed = fail({ kind: 'timeout', afterMs: 1 } as const);
const codes = ['A-1', 'A-2'].map((code, at) => ({ code, line: at + 1, times: 1 }));

/** Rows of two codes at three connections, with the outcomes of the first code. */
function rowsWith(...outcomes: readonly (OutcomeSummary | undefined)[]): BulkRow[] {
  return rowsFor('job', codes, ['a', 'b', 'c']).map((row, at) => {
    const outcome = outcomes[at];
    return outcome === undefined ? row : { ...row, outcome, checkedAt: now };
  });
}

test.each<readonly [string, readonly (OutcomeSummary | undefined)[], string]>([
  ['a purchase leads, whatever is still to come', [missing, hit, undefined], 'b'],
  [
    'an answer still to come leads before a not-found and a fault',
    [missing, failed, undefined],
    'c',
  ],
  ['a fault leads before a not-found', [missing, missing, failed], 'c'],
  ['a not-found leads where nobody failed', [missing, missing, missing], 'a'],
])('%s', (_name, outcomes, lead) => {
  const folded = codeRowsOf(rowsWith(...outcomes), now);
  expect(folded.map(({ code }) => code)).toEqual(['A-1', 'A-2']);
  expect(folded[0]?.connectionId).toBe(lead);
  expect(folded[0]?.others).toHaveLength(2);
});

test.each<readonly [string, readonly (OutcomeSummary | undefined)[], readonly string[]]>([
  ['all that have not answered', [missing, undefined, undefined], ['b', 'c']],
  ['the one that comes before those that answered', [undefined, failed, missing], ['a']],
  ['none in particular before the first answer', [undefined, undefined, undefined], []],
  ['none once there is a verdict', [missing, hit, undefined], []],
])('a code waits for %s', (_name, outcomes, awaited) => {
  const [first] = codeRowsOf(rowsWith(...outcomes), now);
  expect(first && awaitedOf(first, { state: 'running' })).toEqual(awaited);
  for (const state of ['paused', 'cancelled'] as const)
    expect(first && awaitedOf(first, { state })).toEqual([]);
});

test('a not-found is about every connection, another verdict about its own', () => {
  const [first, second] = codeRowsOf(
    [
      ...rowsWith(missing, missing, missing).slice(0, 3),
      ...rowsWith(undefined, undefined, undefined).slice(3),
    ],
    now,
  );
  expect(first && connectionsOf(first)).toEqual(['a', 'b', 'c']);
  expect(second && connectionsOf(second)).toEqual(['a']);
});

test.each<readonly [string, readonly (OutcomeSummary | undefined)[], string[]]>([
  ['a purchase is asked about where it was made', [missing, hit, failed], ['b']],
  ['a fault is asked about wherever it came up', [missing, failed, failed], ['b', 'c']],
  ['a not-found is asked about everywhere', [missing, missing, missing], ['a', 'b', 'c']],
])('for a newer verdict %s', (_name, outcomes, asked) => {
  const [row] = codeRowsOf(rowsWith(...outcomes), now);
  if (row === undefined) throw new Error('There is a row.');
  expect(reportsToRefresh([row, ...row.others]).map(({ connectionId }) => connectionId)).toEqual(
    asked,
  );
});
