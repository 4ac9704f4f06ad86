import { afterEach, beforeEach, expect, it } from 'vitest';

import { succeed } from '#core/result';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';

const origin = 'http://localhost:4000';
const pattern = 'http://localhost/*';
const storageFull = { ok: false, fault: { kind: 'storage-full' } };

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

it('a site is not allowed on a full disk, and its permission goes back to the browser', async () => {
  harness.setDiskFull(true);
  expect(await harness.ask('sites.allow', { origin })).toEqual(storageFull);
  expect(await harness.ask('sites.list', {})).toEqual([]);
  expect(harness.granted).not.toContain(pattern);
});

it('a site that is listed needs no room to be allowed again', async () => {
  await harness.ask('sites.allow', { origin });
  harness.setDiskFull(true);
  expect(await harness.ask('sites.allow', { origin })).toMatchObject({
    value: [{ origin, permitted: true }],
  });
});

it('a site stays with its permission when the disk is too full to remove it', async () => {
  await harness.ask('sites.allow', { origin });
  harness.setDiskFull(true);
  expect(await harness.ask('sites.remove', { origin })).toEqual(storageFull);
  expect(await harness.ask('sites.list', {})).toMatchObject([{ origin, permitted: true }]);
  expect(harness.granted).toContain(pattern);
});

it('a site that is not listed needs no room to be removed', async () => {
  harness.setDiskFull(true);
  expect(await harness.ask('sites.remove', { origin })).toEqual(succeed([]));
});

it('a site keeps its setting on a full disk', async () => {
  await harness.ask('sites.allow', { origin });
  harness.setDiskFull(true);
  expect(await harness.ask('sites.set-automatic', { origin, on: true })).toEqual(storageFull);
  expect(await harness.ask('sites.list', {})).toMatchObject([{ automatic: false }]);
});
