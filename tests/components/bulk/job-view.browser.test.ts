import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { defineComponent, h } from 'vue';

import BulkPage from '#components/bulk/BulkPage.vue';
import type { BulkJob, JobUpdate } from '#core/bulk/job';
import { jobsPort } from '#stores/bulk/ports';
import { useConnections } from '#stores/connections/connections';
import { mounting, noJobs } from '#tests/components/mounted';
import { code, connection, now } from '#tests/stores/check/samples';

const job: BulkJob = {
  id: 'job',
  name: 'orders.csv',
  createdAt: now,
  connectionIds: ['market'],
  state: 'running',
};
const row = { jobId: 'job', index: 0, connectionId: 'market', code, line: 1, times: 1 };
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Shows a job that does what it is told; returns how to announce another state of it. */
function jobPage(): (changed: Partial<BulkJob>) => void {
  let announce: (update: JobUpdate) => void = () => undefined;
  const change = (changed: Partial<BulkJob>): void => {
    announce({ kind: 'job', job: { ...job, ...changed } });
  };
  const Page = defineComponent(() => {
    void useConnections().load();
    return () => [h('h1', { tabindex: -1 }, 'Desk'), h(BulkPage, { route })];
  });
  const route = { section: 'bulk', jobId: 'job' } as const;
  mounting(Page, {
    script: {
      'connections.list': () => [connection()],
      'bulk.set': ({ to }) => {
        change({ state: to });
        return null;
      },
      'bulk.drive': () => new Promise(() => undefined),
    },
    ports: (app) =>
      app.provide(jobsPort, {
        ...noJobs,
        jobs: () => Promise.resolve([job]),
        rows: () => Promise.resolve([row]),
        watch: (changed) => {
          announce = changed;
          return () => undefined;
        },
      }),
  });
  return change;
}

test('by keyboard: the button that comes in the place of another has the focus', async () => {
  jobPage();
  await expect.element(button('Pause')).toBeVisible();
  button('Pause').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Resume')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Pause')).toHaveFocus();
});

test('a job that is done while a button has the focus does not lead it to the one that deletes', async () => {
  const change = jobPage();
  await expect.element(button('Pause')).toBeVisible();
  button('Pause').element().focus();
  change({ state: 'done' });
  await expect.element(button('Pause')).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
});
