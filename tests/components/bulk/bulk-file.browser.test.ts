import { afterEach, expect, test, vi } from 'vitest';
import { commands, page } from 'vitest/browser';

import BulkInput from '#components/bulk/BulkInput.vue';
import { succeed } from '#core/result';
import type { JobsPort } from '#core/bulk/job';
import { jobsPort } from '#stores/bulk/ports';
import { mounting, noJobs } from '#tests/components/mounted';
import { code, connection, otherCode } from '#tests/stores/check/samples';

const path = './orders-of-a-test.csv';

afterEach(() => commands.removeFile(path));

test('a check of a file on disk that changed since it was chosen is one of what was read', async () => {
  const add = vi.fn<JobsPort<Blob>['add']>(() => Promise.resolve(succeed(undefined)));
  mounting(BulkInput, {
    script: { 'connections.list': () => [connection()] },
    ports: (app) => app.provide(jobsPort, { ...noJobs, add }),
  });
  await commands.writeFile(path, `order;code\n1;${code}\n`);
  await page.getByLabelText('Choose a file').upload(path);
  const start = page.getByRole('button', { name: 'Check 1 code' });
  await expect.element(start).toBeEnabled();
  await commands.writeFile(path, `order;code\n1;${code}\n2;${otherCode}\n`);
  await start.click();
  await vi.waitFor(() => {
    expect(add).toHaveBeenCalledOnce();
  });
  const [, rows, source] = add.mock.calls[0] ?? [];
  expect(rows?.map((row) => row.code)).toEqual([code]);
  expect(await source?.file.text()).toBe(`order;code\n1;${code}\n`);
});
