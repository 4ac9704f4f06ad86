import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { defineComponent, h, onMounted } from 'vue';

import JobTable from '#components/bulk/JobTable.vue';
import CheckPanel from '#components/check/CheckPanel.vue';
import { useBulk } from '#stores/bulk/bulk';
import { jobsPort } from '#stores/bulk/ports';
import { mounting, noJobs, type PageHarness } from '#tests/components/mounted';
import {
  code,
  connection,
  genuine,
  item,
  now,
  otherCode,
  purchase,
} from '#tests/stores/check/samples';
import type { BulkJob, BulkRow } from '#core/jobs/index';

const job: BulkJob = {
  id: 'job',
  name: '',
  createdAt: now,
  connectionIds: ['market'],
  state: 'done',
  expectedItemId: item.id + 1,
};
const row: BulkRow = {
  jobId: 'job',
  index: 0,
  code,
  connectionId: 'market',
  line: 1,
  times: 1,
  checkedAt: now,
  outcome: { ok: true, value: { kind: 'purchase', purchase: purchase() } },
};

function showTable(shown: BulkRow): void {
  const Page = defineComponent(() => {
    const bulk = useBulk();
    onMounted(() => void bulk.open('job'));
    return () => h(JobTable, { job });
  });
  mounting(Page, {
    script: { 'connections.list': () => [connection()] },
    ports: (app) =>
      app.provide(jobsPort, {
        ...noJobs,
        jobs: () => Promise.resolve([job]),
        rows: () => Promise.resolve([shown]),
      }),
  });
}

test('an item’s name is cut at its own end, whatever direction it is written in', async () => {
  const name = 'قالب متجر كامل';
  const value = { kind: 'purchase', purchase: purchase({ item: { ...item, name } }) } as const;
  showTable({ ...row, outcome: { ok: true, value } });
  const cell = page.getByRole('gridcell', { name });
  await expect.element(cell).toBeVisible();
  expect(getComputedStyle(cell.element()).direction).toBe('rtl');
  expect(cell.element().querySelector('[title]')?.getAttribute('title')).toBe(name);
});

test('a supported code for another item is no good news, and its row says so in one place', async () => {
  showTable(row);
  const line = page.getByRole('row').nth(1);
  await expect.element(line).toBeVisible();
  const mark = line.element().querySelector('[data-verdict]');
  expect(mark?.getAttribute('data-verdict')).toBe('supported');
  expect(mark?.getAttribute('data-tone')).toBe('warn');
  expect(mark?.textContent.trim()).toBe('Other item');
  expect(line.element().textContent.match(/other item/giu)).toHaveLength(1);
  expect(line.element().textContent).toContain('Mar 12, 2027');

  await line.click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  const inDialog = dialog.element().querySelector('[data-verdict]');
  expect(inDialog?.getAttribute('data-tone')).toBe('warn');
});

describe('a supported code for another item than the tickets are about', () => {
  const expectedItem = { connectionId: 'market', itemId: item.id + 1, name: 'Compass' };

  async function checked(text: string): Promise<PageHarness> {
    const harness = mounting(CheckPanel, {
      script: {
        'connections.list': () => [connection()],
        check: (asked) =>
          genuine(
            asked,
            purchase(asked.code === code ? {} : { item: { ...item, id: item.id + 1 } }),
          ),
      },
      preferences: { expectedItem },
    });
    await page.getByRole('textbox', { name: 'Purchase code' }).fill(text);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => cardOf(0)).toBeDefined();
    return harness;
  }
  const cardOf = (index: number): HTMLElement | undefined =>
    [...document.querySelectorAll<HTMLElement>('[data-verdict]')][index];
  const textOf = (index: number): string => cardOf(index)?.textContent ?? '';

  test('is amber and says so in its headline, its summary and its reply', async () => {
    const { copied } = await checked(code);
    await expect.poll(() => textOf(0)).toContain('Genuine, for another item');
    expect(textOf(0)).toContain('Orbit CRM was bought; Compass was expected');
    expect(cardOf(0)?.dataset).toMatchObject({ tone: 'warn', verdict: 'supported' });
    expect(cardOf(0)?.dataset).toHaveProperty('otherItem');
    expect(textOf(0)).toContain('Supported until Mar 12, 2027');

    await page.getByRole('button', { name: 'Copy summary' }).click();
    await page.getByRole('button', { name: 'Copy reply' }).click();
    await expect.poll(() => copied).toHaveLength(2);
    expect(copied[0]).toMatch(/^Genuine, for another item .*Compass/u);
    expect(copied[1]).toContain('Compass');
    expect(copied[1]).not.toContain('confirmed');
  });

  test('is amber when it is folded among others, and those are not', async () => {
    await checked(`${code}\n${otherCode}`);
    await expect.poll(() => textOf(1)).toContain('Supported until');
    expect(textOf(0)).toContain('Genuine, for another item');
    expect(cardOf(0)?.dataset['tone']).toBe('warn');
    expect(cardOf(1)?.dataset['tone']).toBe('good');
    expect(cardOf(1)?.dataset).not.toHaveProperty('otherItem');
  });
});
