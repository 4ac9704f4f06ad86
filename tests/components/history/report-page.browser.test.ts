import { expect, test } from 'vitest';
import { page } from 'vitest/browser';

import ReportPage from '#components/history/ReportPage.vue';
import { summariseAnswer } from '#core/check/index';
import { fail, succeed } from '#core/result';
import type { TeamFault, TeamReport } from '#core/team/index';
import { createZone, monthAt, type TimeSpan } from '#core/time/index';
import type { HistoryEntry } from '#core/history/index';
import { historyPort } from '#stores/history/ports';
import { saveFilePort } from '#stores/ports';
import { mounting, noHistory, type PageHarness } from '#tests/components/mounted';
import { code, demo, now, otherCode, purchase } from '#tests/stores/check/samples';
import { noEntries } from '#core/settings-import/index';

const dayMs = 86_400_000;
const found = summariseAnswer({ kind: 'purchase', purchase: purchase() });
const missing = { kind: 'not-found', msg: 'No.', key: 'good', proven: true } as const;
const entryAt = (id: number, checkedAt: number, more: Partial<HistoryEntry> = {}) =>
  ({
    id,
    codeId: code,
    code,
    connectionId: 'demo',
    connectionName: 'Demo',
    checkedAt,
    by: 'agent',
    question: String(id),
    answer: found,
    ...more,
  }) satisfies HistoryEntry;

const stored = [
  entryAt(1, now),
  entryAt(2, now - 1000, { jobId: 'job', by: 'bulk', codeId: otherCode, answer: missing }),
  entryAt(3, now - 2000, { codeId: otherCode, code: otherCode, answer: missing }),
  entryAt(4, now - 3 * 3_600_000),
  entryAt(5, now - 35 * dayMs),
];

test('the page counts the month that is chosen, prints none of its controls, and saves it with masked codes', async () => {
  const saved: string[] = [];
  const spans: (TimeSpan | undefined)[] = [];
  mounting(ReportPage, {
    props: { route: { section: 'report' } },
    script: { 'connections.list': () => [demo] },
    ports: (app) =>
      app
        .provide(saveFilePort, ({ name, content }) => saved.push(`${name}\n${String(content)}`))
        .provide(historyPort, {
          ...noHistory,
          oldest: () => Promise.resolve(now - 35 * dayMs),
          latest: (_count, span) => {
            spans.push(span);
            return Promise.resolve(
              stored.filter(
                ({ checkedAt }) => span && checkedAt >= span.from && checkedAt < span.to,
              ),
            );
          },
        }),
  });
  const figure = (name: string) =>
    page.getByText(name, { exact: true }).first().element().parentElement?.textContent;
  await expect.element(page.getByText('Different codes')).toBeVisible();
  expect(figure('Not found')).toContain('1 of 3 checks');
  await page.getByLabelText('Count bulk checks').click();
  await expect.element(page.getByText('2 of 4 checks')).toBeVisible();
  expect(figure('Checks')).toContain('4');
  await page.getByLabelText('Count bulk checks').click();
  await expect.element(page.getByText('1 of 3 checks')).toBeVisible();
  const bars = [...document.querySelectorAll('.report-days b')].map(
    ({ textContent }) => textContent,
  );
  expect(bars.reduce((sum, count) => sum + Number(count), 0)).toBe(3);

  await page.getByRole('button', { name: 'CSV' }).click();
  expect(saved[0]).toMatch(
    /^report-\d{4}-\d\d\.csv\n\uFEFFBy,Name,Item,Different codes,Checks,Supported,/u,
  );
  expect(saved[0]).toMatch(/^code,.*,2,/mu);
  expect(saved[0]).not.toContain(code);
  expect(document.querySelectorAll('button, select, input')).toHaveLength(
    document.querySelectorAll('.no-print :is(button, select, input)').length,
  );

  const months = page.getByLabelText('Month').element() as HTMLSelectElement;
  expect(months.options.length).toBeGreaterThan(1);
  await page.getByLabelText('Month').selectOptions(months.options[1]?.text ?? '');
  await expect.element(page.getByText(/older ones of this month are not counted/u)).toBeVisible();
  expect(spans).toHaveLength(2);
});

test('a month of bulk checks alone does not read as one without checks, and they are counted by a press', async () => {
  mounting(ReportPage, {
    props: { route: { section: 'report' } },
    script: { 'connections.list': () => [demo] },
    ports: (app) =>
      app.provide(historyPort, {
        ...noHistory,
        oldest: () => Promise.resolve(now),
        latest: () => Promise.resolve([entryAt(2, now, { jobId: 'job', by: 'bulk' })]),
      }),
  });
  await expect.element(page.getByText('1 in bulk checks')).toBeVisible();
  expect(page.getByText('Nothing was checked in this month.').query()).toBeNull();
  expect(page.getByRole('link', { name: 'Check a code' }).query()).toBeNull();
  await page.getByRole('button', { name: 'Count bulk checks' }).click();
  await expect.element(page.getByLabelText('Count bulk checks')).toBeChecked();
  await expect.element(page.getByLabelText('Count bulk checks')).toHaveFocus();
  await expect.element(page.getByText('Different codes')).toBeVisible();
});

const thisMonth = monthAt(now, createZone('UTC'));
const line = (name: string, checks: number, found: number) => ({
  name,
  checks,
  agents: 2,
  verdicts: { found, 'not-found': checks - found, 'other-answer': 0, 'no-answer': 0 },
});
const teamReport: TeamReport = {
  month: thisMonth,
  ...line('', 5, 3),
  days: [line(`${thisMonth}-02`, 5, 3)],
  connections: [line('shop (Shop)', 5, 3)],
  agentLines: [line('ada@fenwick.test', 4, 3), line('<b>bob</b>@fenwick.test', 1, 0)],
  codes: [line('…dece (0123456789ab)', 2, 2)],
};

/** The page of an agent whose team’s relay answers so. */
function inTeam(
  answer: (month: string) => TeamReport | TeamFault,
  saved: string[] = [],
): PageHarness {
  return mounting(ReportPage, {
    props: { route: { section: 'report' } },
    script: {
      'connections.list': () => [demo],
      'team.state': () => ({
        joined: {
          id: 'a',
          relay: 'https://relay.test',
          name: 'Fenwick',
          email: 'ada@fenwick.test',
          version: 1,
          added: noEntries,
        },
        signedIn: true,
        signIn: null,
      }),
      'team.report': ({ month }) => {
        const told = answer(month);
        return 'kind' in told ? fail(told) : succeed(told);
      },
    },
    ports: (app) =>
      app
        .provide(saveFilePort, ({ name, content }) => saved.push(`${name}\n${String(content)}`))
        .provide(historyPort, noHistory),
  });
}

test('the relay’s report is asked for once somebody wants to see it, for the month that is chosen', async () => {
  const saved: string[] = [];
  const harness = inTeam((month) => ({ ...teamReport, month }), saved);
  await expect.element(page.getByLabelText('Counted from')).toBeVisible();
  expect(harness.bodies('team.report')).toEqual([]);
  await page.getByLabelText('Counted from').selectOptions('The team');
  await expect.element(page.getByText('2 of 5 checks')).toBeVisible();
  expect(harness.bodies('team.report')).toEqual([{ month: thisMonth }]);
  await expect.element(page.getByRole('rowheader', { name: 'ada@fenwick.test' })).toBeVisible();
  await expect.element(page.getByText('<b>bob</b>@fenwick.test')).toBeVisible();
  expect(page.getByLabelText('Count bulk checks').elements()).toEqual([]);
  const days = document.querySelectorAll('.report-days > div');
  expect(days.length).toBeGreaterThan(27);
  expect(document.querySelector('.report-month')?.textContent).toContain('· Fenwick');

  await page.getByRole('button', { name: 'CSV' }).click();
  expect(saved[0]).toMatch(/^report-team-\d{4}-\d\d\.csv\n\uFEFFBy,Name,Agents,Checks,Found,/u);
  expect(saved[0]).toMatch(/^agent,ada@fenwick\.test,2,4,3,1,0,0\r$/mu);

  const months = page.getByLabelText('Month').element() as HTMLSelectElement;
  expect(months.options).toHaveLength(12);
  await page.getByLabelText('Month').selectOptions(months.options[11]?.text ?? '');
  await expect.poll(() => harness.bodies('team.report').length).toBe(2);
  expect(harness.bodies('team.report')[1]?.month).toBe(months.options[11]?.value);
  await page.getByLabelText('Counted from').selectOptions('This browser');
  await expect.element(page.getByText('Nothing was checked in this month.')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Check a code' }))
    .toHaveAttribute('href', 'sidepanel.html');
});

test.each([
  [
    { kind: 'relay-refused', reason: 'role' },
    'Your role does not see the team’s report',
    'Try again',
  ],
  [{ kind: 'relay-too-old' }, 'Your team’s relay is too old for this report', undefined],
  [{ kind: 'unreachable' }, 'Your team’s relay could not be reached', 'Try again'],
  [
    { kind: 'relay-unavailable', reason: 'outage' },
    'Your team’s relay cannot answer just now',
    'Try again',
  ],
  [
    { kind: 'relay-sign-in', reason: 'expired' },
    'Your sign-in to your team’s relay has expired',
    'Sign in again',
  ],
  [{ kind: 'locked' }, 'The keys are locked', 'Unlock'],
] satisfies [TeamFault, string, string | undefined][])(
  'why there is no report is said, with the next step: %o',
  async (fault, sentence, step) => {
    inTeam(() => fault);
    await page.getByLabelText('Counted from').selectOptions('The team');
    const alert = page.getByRole('alert');
    await expect.element(alert.getByRole('heading', { name: sentence })).toBeVisible();
    const buttons = alert.getByRole('button').elements();
    expect(buttons.some(({ textContent }) => textContent.trim() === step)).toBe(step !== undefined);
    expect(alert.element().textContent).not.toMatch(/desk\.|fault\.|\{\w+\}|undefined/u);
  },
);

test('Try again asks once more, and the report takes the place of the fault', async () => {
  let asked = 0;
  inTeam((month) =>
    (asked += 1) === 1 ? { kind: 'timeout', afterMs: 1 } : { ...teamReport, month },
  );
  await page.getByLabelText('Counted from').selectOptions('The team');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('2 of 5 checks')).toBeVisible();
  expect(page.getByRole('alert').elements()).toEqual([]);
});

test('on a phone the codes have no column beside the checks where they are as many', async () => {
  await page.viewport(360, 740);
  const shown = (entries: readonly HistoryEntry[]): void => {
    mounting(ReportPage, {
      props: { route: { section: 'report' } },
      script: { 'connections.list': () => [demo] },
      ports: (app) =>
        app.provide(historyPort, {
          ...noHistory,
          oldest: () => Promise.resolve(now),
          latest: () => Promise.resolve([...entries]),
        }),
    });
  };
  const heads = (): string[] =>
    [...document.querySelectorAll('thead th')]
      .filter((head) => head.checkVisibility())
      .map(({ textContent }) => textContent.trim());
  const once = [entryAt(1, now), entryAt(2, now - 1000, { codeId: otherCode, code: otherCode })];
  shown(once);
  await expect.poll(heads).toEqual(['Item', 'Checks']);
  await page.viewport(1280, 740);
  expect(heads()).toContain('Different codes');
  await page.viewport(360, 740);
  shown([...once, entryAt(3, now - 2000)]);
  await expect.poll(heads).toContain('Different codes');
});
