import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';

import RecentChecks from '#components/check/RecentChecks.vue';
import { type CheckedCode, type CheckReport, summariseAnswer } from '#core/check/index';
import { maskCode } from '#core/codes/index';
import type { HistoryEntry } from '#core/history/index';
import { recentChecksPort, useRecent } from '#stores/check/index';
import { mounting } from '#tests/components/mounted';
import {
  code,
  connection,
  demo,
  faulty,
  genuine,
  item,
  now,
  otherCode,
  purchase,
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
  // It was looked up now; how old the answer is stands on its card.
  expect(document.querySelector('.recent-check time')?.textContent).toBe('now');
});

test('the list is in the order in which codes were looked up, and tells these times', async () => {
  const missing = { kind: 'not-found', msg: '', key: 'good', proven: true } as const;
  const minutesAgo = (minutes: number): number => now - minutes * 60_000;
  const rows = rowsOf(
    [
      // The answer is older than when it was shown last.
      {
        ...checked({ ...genuine(asked(code)), checkedAt: minutesAgo(4) }),
        lookedUpAt: minutesAgo(1),
      },
      { ...checked(genuine(asked(otherCode))), lookedUpAt: minutesAgo(3) },
    ],
    [
      {
        id: 1,
        codeId: 'c',
        code: thirdCode,
        connectionId: 'market',
        connectionName: 'Market',
        by: 'agent',
        question: 'q',
        checkedAt: minutesAgo(2),
        answer: missing,
      },
    ],
  );
  await expect.poll(() => rows().length).toBe(3);
  const times = [...document.querySelectorAll('.recent-check time')];
  expect(times.map((time) => time.textContent)).toEqual([
    '1 minute ago',
    '2 minutes ago',
    '3 minutes ago',
  ]);
});

test('a row has two lines, however long its words are, and tells them whole', async () => {
  await page.viewport(384, 600);
  const long = 'A name that would not fit beside a time, and hardly below it in the popup';
  const rows = rowsOf([
    checked(genuine(asked(code), purchase({ item: { ...item, name: long } }))),
    checked(faulty(asked(otherCode), { kind: 'no-connection' })),
  ]);
  await expect.poll(() => rows().length).toBe(2);
  document.body.style.setProperty('width', '200px');
  const heights = [...document.querySelectorAll('.recent-check')].map((row) => row.clientHeight);
  document.body.style.removeProperty('width');
  expect(new Set(heights).size).toBe(1);
  const title = document.querySelector<HTMLElement>('.recent-title');
  expect(title?.title).toBe(title?.textContent);
  await expect.element(page.getByTitle(long)).toHaveTextContent(long);
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

test('what is known by its masked code alone is a link to its dialog, which says that it opens the desk', async () => {
  const { outcome } = genuine(asked(code));
  if (!outcome.ok) throw new Error('It is genuine.');
  const masked: HistoryEntry = {
    id: 1,
    codeId: 'c',
    code: maskCode(code),
    connectionId: 'market',
    connectionName: 'Market',
    by: 'agent',
    question: 'q',
    asked: ['market'],
    checkedAt: now - 60_000,
    answer: summariseAnswer(outcome.value),
  };
  rowsOf([checked(genuine(asked(otherCode)))], [masked]);
  await expect
    .element(page.getByRole('link', { name: /Desk: / }))
    .toHaveAttribute('href', 'desk.html#/history/code/c');
  expect(page.getByRole('img', { name: /^Desk: / }).elements()).toHaveLength(1);
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

test.each(['ltr', 'rtl'])('the code ends its row, with an item or without: %s', async (dir) => {
  document.documentElement.dir = dir;
  const rows = rowsOf([
    checked(genuine(asked(code), purchase({ item: { ...item, name: '' } }))),
    checked(genuine(asked(otherCode))),
  ]);
  await expect.poll(() => rows().length).toBe(2);
  const gaps = [...document.querySelectorAll('.recent-what')].map((row) => {
    const [whole, part] = [row, row.querySelector('.code')].map((each) =>
      each?.getBoundingClientRect(),
    );
    const gap = dir === 'ltr' ? 'right' : 'left';
    return Math.abs((whole?.[gap] ?? 0) - (part?.[gap] ?? 99));
  });
  document.documentElement.removeAttribute('dir');
  expect(gaps).toEqual([0, 0]);
});
