import { expect, test } from 'vitest';
import { defineComponent, h } from 'vue';

import RecentChecks from '#components/check/RecentChecks.vue';
import { type CheckedCode, type CheckReport, summariseAnswer } from '#core/check/index';
import type { HistoryEntry } from '#core/history/index';
import { recentChecksPort, useRecent } from '#stores/check/index';
import { mounting } from '#tests/components/mounted';
import {
  code,
  connection,
  demo,
  faulty,
  genuine,
  now,
  otherCode,
  thirdCode,
} from '#tests/stores/check/samples';

const asked = (checked: string) => ({ code: checked, connectionId: 'market' });
const checked = (report: CheckReport): CheckedCode => ({
  code: report.code,
  checks: [{ connectionId: 'market', report }],
});

/** Returns the lines of each row, without its age. */
function rowsOf(
  session: readonly CheckedCode[],
  stored: readonly HistoryEntry[] = [],
): () => (string | undefined)[][] {
  const restored = defineComponent(() => {
    void useRecent().restore();
    return () => h(RecentChecks);
  });
  mounting(restored, {
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) => {
      app.provide(recentChecksPort, {
        read: () => Promise.resolve(session),
        change: () => Promise.resolve(),
        watch: () => undefined,
        stored: () => Promise.resolve(stored),
      });
    },
  });
  const textOf = (row: Element, name: string) => row.querySelector(name)?.textContent;
  return () =>
    [...document.querySelectorAll('.recent-check')].map((row) => [
      textOf(row, '.recent-title'),
      textOf(row, '.recent-item'),
    ]);
}

test('a check that could not be repeated keeps its verdict, and says why it is no newer', async () => {
  const missing = { kind: 'not-found', msg: '', key: 'good', proven: true } as const;
  const rows = rowsOf([
    checked({
      ...faulty(asked(code), { kind: 'server-error', status: 500 }),
      lastKnown: { checkedAt: now - 5 * 60_000, answer: missing },
    }),
  ]);
  await expect
    .poll(rows)
    .toEqual([['No such purchase on this account', 'Not refreshed: Market is having a problem']]);
  expect(document.querySelector('.recent-when')?.textContent).toBe('5 minutes ago');
});

test('a check without an answer says so, and why stands below it as a reason', async () => {
  const wait = { kind: 'rate-limited', retryAt: now + 60_000, by: 'server' } as const;
  const rows = rowsOf([
    checked(faulty(asked(code), wait)),
    checked(faulty(asked(otherCode), { kind: 'server-error', status: 500 })),
    checked(genuine(asked(thirdCode))),
  ]);
  await expect.poll(rows).toEqual([
    ['No answer', 'Market asks us to wait'],
    ['No answer', 'Market is having a problem'],
    [expect.stringMatching(/^Supported until/), 'Orbit CRM'],
  ]);
});

test('a not-found from the history is no verdict where a connection gave no answer', async () => {
  const missing: HistoryEntry = {
    id: 1,
    codeId: 'c',
    code,
    connectionId: 'demo',
    connectionName: 'Demo',
    by: 'agent',
    question: 'q',
    asked: ['demo', 'market'],
    checkedAt: now - 60_000,
    answer: { kind: 'not-found', msg: '', key: 'good', proven: true },
  };
  const rows = rowsOf([], [missing]);
  await expect.poll(rows).toEqual([['Not on Demo', undefined]]);
  const known = rowsOf([], [{ ...missing, asked: ['demo'] }]);
  await expect.poll(known).toEqual([['No such purchase on this account', undefined]]);
  // What was known before is known still.
  const { outcome } = genuine(asked(code));
  if (!outcome.ok) throw new Error('It is genuine.');
  const before: HistoryEntry = {
    ...missing,
    id: 2,
    connectionId: 'market',
    question: 'before',
    checkedAt: now - 5 * 60_000,
    answer: summariseAnswer(outcome.value),
  };
  const earlier = rowsOf([], [missing, before]);
  await expect.poll(earlier).toEqual([[expect.stringMatching(/^Supported until/), 'Orbit CRM']]);
});
