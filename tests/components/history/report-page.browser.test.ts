import { expect, test } from 'vitest';
import { page } from 'vitest/browser';

import ReportPage from '#components/history/ReportPage.vue';
import { summariseAnswer } from '#core/check/check-report';
import type { HistoryEntry, TimeSpan } from '#core/history/entry';
import { historyPort } from '#stores/history/ports';
import { saveFilePort } from '#stores/ports';
import { mounting, noHistory } from '#tests/components/mounted';
import { code, demo, now, otherCode, purchase } from '#tests/stores/check/samples';

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
  expect(figure('Checks')).toContain('4');
  expect(figure('Not found')).toContain('2 of 4 checks');
  await page.getByLabelText('Count bulk checks').click();
  await expect.element(page.getByText('1 of 3 checks')).toBeVisible();

  await page.getByRole('button', { name: 'CSV' }).click();
  expect(saved[0]).toMatch(/^report-\d{4}-\d\d\.csv\n\uFEFFBy,Name,Item,Checks,Supported,/u);
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
