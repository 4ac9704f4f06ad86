import 'fake-indexeddb/auto';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import databases from '../../fixtures/stored-by-0.2.0/databases.json' with { type: 'json' };
import { writeOldStorage } from '#tests/fixtures/stored-by-0.2.0/write';

const market = 'c0a8f1a2-0000-4000-8000-000000000001';
const jobId = 'job-1';
const code = (at: number): string => `5eed0000-0000-4000-8000-${String(at).padStart(12, '0')}`;

let harness: WorkerHarness;
beforeEach(async () => {
  const name = crypto.randomUUID();
  await writeOldStorage(name);
  harness = await createWorkerHarness(name);
});
afterEach(() => harness.close());

it('an update in the middle of a bulk job asks about every row once, and loses none', async () => {
  const finished = (await harness.jobs.rows(jobId)).slice(0, 5);
  await harness.ask(
    'connections.save',
    {
      name: 'Market',
      baseAddress: `${harness.sandbox.origin}/market`,
      apiKey: harness.sandbox.keys['/market'],
      dialect: { ...defaultDialect, requestsPerMinute: 6000, proven: true },
    },
    market,
  );
  await harness.requests();
  await harness.ask('bulk.set', { jobId, to: 'running' });
  await harness.restart();
  await harness.ask('bulk.drive', {});

  const rows = await harness.jobs.rows(jobId);
  expect(rows).toHaveLength(databases[''].stores.rows.entries.length - 2);
  expect(rows.every(({ outcome }) => outcome !== undefined)).toBe(true);
  expect(rows.slice(0, 5)).toEqual(finished);
  const asked = (await harness.requests())
    .filter(({ path }) => path.endsWith('/validation'))
    .map(({ body }) => new URLSearchParams(body).get('purchase_code') ?? '');
  const waiting = [5, 6, 7, 8, 9, 10, 11].map(code);
  // Other encodings, tried because the connection has never confirmed a code, carry none in a form.
  expect(asked.filter((one) => one !== '').toSorted()).toEqual(waiting);
  expect(await harness.jobs.job(jobId)).toMatchObject({ state: 'done', expectedItemId: 101 });
});
