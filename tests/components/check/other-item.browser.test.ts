import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h, onMounted } from 'vue';

import JobTable from '#components/bulk/JobTable.vue';
import type { BulkJob, BulkRow } from '#core/bulk/job';
import { useBulk } from '#stores/bulk/bulk';
import { jobsPort } from '#stores/bulk/ports';
import { mounting, noJobs } from '#tests/components/mounted';
import { code, connection, item, now, purchase } from '#tests/stores/check/samples';

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
  expect(line.element().textContent).toContain('Supported until');

  await line.click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  const inDialog = dialog.element().querySelector('[data-verdict]');
  expect(inDialog?.getAttribute('data-tone')).toBe('warn');
});
