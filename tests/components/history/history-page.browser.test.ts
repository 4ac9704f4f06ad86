import { expect, test } from 'vitest';
import { page } from 'vitest/browser';

import HistoryPage from '#components/history/HistoryPage.vue';
import { summariseAnswer } from '#core/check/index';
import type { HistoryEntry } from '#core/history/index';
import { historyPort } from '#stores/history/ports';
import { saveFilePort } from '#stores/ports';
import { mounting, noHistory } from '#tests/components/mounted';
import { code, connection, demo, now, otherCode, purchase } from '#tests/stores/check/samples';

const answerOf = (id: number, asked: string, connectionId: string, isGenuine: boolean) =>
  ({
    id,
    codeId: asked,
    code: asked,
    connectionId,
    connectionName: connectionId === 'market' ? 'Market' : 'Demo',
    checkedAt: now - id,
    by: 'agent',
    question: asked,
    answer: isGenuine
      ? summariseAnswer({ kind: 'purchase', purchase: purchase() })
      : { kind: 'not-found', msg: 'No.', key: 'good', proven: true },
  }) satisfies HistoryEntry;

const answers = [
  answerOf(4, code, 'demo', false),
  answerOf(5, code, 'market', true),
  answerOf(6, otherCode, 'demo', false),
  answerOf(7, otherCode, 'market', false),
];

test('a code that was asked about at two connections is one row, and chips and table count the same', async () => {
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) =>
      app.provide(historyPort, {
        ...noHistory,
        latest: () => Promise.resolve(answers),
        ofCode: (codeId) => Promise.resolve(answers.filter((one) => one.codeId === codeId)),
      }),
  });
  await expect.element(page.getByRole('status').getByText('2 codes')).toBeVisible();
  const rows = page.getByRole('row');
  const marks = [...document.querySelectorAll<HTMLElement>('[role="row"] [data-verdict]')];
  expect(marks.map(({ dataset }) => dataset['verdict'])).toEqual(['supported', 'not-found']);
  expect(rows.nth(3).element().textContent).toContain('Demo and Market');
  await expect.element(page.getByRole('button', { name: 'Supported 1' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Not found 1' })).toBeVisible();

  await rows.nth(2).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  expect(dialog.element().textContent).toContain('Market');
  expect(dialog.element().textContent).toContain('Not on Demo');
});

test('what finds nothing is cleared from within the table, whichever filter it is of', async () => {
  await page.viewport(1000, 800);
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) =>
      app.provide(historyPort, {
        ...noHistory,
        latest: () => Promise.resolve(answers),
      }),
  });
  await expect.element(page.getByRole('button', { name: 'Supported 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Supported 1' }).click();
  await page.getByLabelText('From').fill('2000-01-01');
  await page.getByLabelText('To').fill('2000-01-02');
  const sentence = page.getByRole('grid').getByText('Nothing matches this search.');
  await expect.element(sentence).toBeVisible();
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect.element(page.getByRole('status').getByText('2 codes')).toBeVisible();
  await expect.element(page.getByLabelText('From')).toHaveValue('');
});

test('a number of days that is being typed stays while another setting is stored', async () => {
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [demo] },
    ports: (app) => app.provide(historyPort, noHistory),
  });
  await page.getByRole('button', { name: 'History settings' }).click();
  await page.getByLabelText('Days to keep it').fill('29');
  // As a shortcut of the system or a switch does, which leaves the focus where it is.
  const whole = page.getByRole('switch', { name: 'Keep full codes' });
  (whole.element() as HTMLElement).click();
  await expect.element(whole).toBeChecked();
  await expect.element(page.getByLabelText('Days to keep it')).toHaveValue(29);
});

test('the checks stand under their days with the totals of each, and a day is shown alone by a press on it', async () => {
  const saved: string[] = [];
  const day = 86_400_000;
  mounting(HistoryPage, {
    props: { route: { section: 'history' } },
    script: { 'connections.list': () => [connection(), demo] },
    ports: (app) =>
      app
        .provide(saveFilePort, ({ name, content }) => saved.push(`${name}\n${String(content)}`))
        .provide(historyPort, {
          ...noHistory,
          latest: () =>
            Promise.resolve([
              ...answers,
              {
                ...answerOf(day, '8678…dece', 'demo', true),
                codeId: 'x',
              },
            ]),
        }),
  });
  const headings = page.getByRole('row').filter({ has: page.getByText(/^\d codes?$/u) });
  await expect.element(headings.nth(0)).toHaveTextContent('today2 codes1 Supported 1 Not found');
  await expect.element(headings.nth(1)).toHaveTextContent('yesterday1 code1 Supported');
  const today = headings.nth(0).getByText('today').element();
  expect(getComputedStyle(today, '::first-letter').textTransform).toBe('uppercase');
  const [wide] = headings.nth(0).getByRole('gridcell').elements();
  expect(wide?.scrollWidth).toBe(wide?.clientWidth);
  expect(headings.nth(0).getByRole('gridcell').elements()).toHaveLength(1);
  await expect.element(page.getByText('8678…dece', { exact: true })).toBeVisible();
  await headings.nth(1).click();
  await expect.element(page.getByRole('status').getByText('1 code')).toBeVisible();
  await expect.element(page.getByLabelText('From')).toHaveValue('2026-11-19');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect(saved[0]).toMatch(/^history-2026-11-20\.csv\n\uFEFFChecked at,Code,Verdict,/u);
  expect(saved[0]).toContain(',8678…dece,Supported,supported,');
  expect(saved[0]?.split('\r\n')).toHaveLength(3);
  await page.getByRole('button', { name: 'Any day' }).click();
  await expect.element(page.getByRole('status').getByText('3 codes')).toBeVisible();
});
