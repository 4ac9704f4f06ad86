import { afterEach, beforeEach, expect, it } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { succeed } from '#core/result';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';

const { supported } = sampleCodes('/demo');
const settings = JSON.stringify({
  format: 'counterfoil-settings',
  version: 2,
  sites: [{ origin: 'https://desk.example', automatic: false }],
});

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

it('a start, a check and what pages ask when they open load no second script', async () => {
  const { id: connectionId } = await harness.connect('/demo');
  const loads = harness.loads();
  await harness.wake();
  expect(await harness.askFirst('connections.list', {})).toHaveLength(1);
  expect(await harness.askFirst('secrets.state', {})).toMatchObject({ locked: false });
  expect(await harness.askFirst('sites.list', {})).toEqual([]);
  const report = await harness.askFirst('check', { code: supported, connectionId, fresh: true });
  expect(report.outcome).toMatchObject(succeed({ kind: 'purchase' }));
  expect(harness.loads()).toBe(loads);

  await harness.ask('team.state', {});
  await harness.ask('policy.state', {});
  expect(harness.loads()).toBe(loads + 1);
});

it('a check at a marketplace whose readers cannot be loaded fails, and others go on', async () => {
  const { id: demo } = await harness.connect('/demo');
  const saved = await harness.ask('connections.save', {
    name: 'Gumroad',
    marketplace: 'gumroad',
    apiKey: harness.sandbox.tokens['/gumroad'].whole,
    baseAddress: `${harness.sandbox.origin}/gumroad`,
    dialect: { ...defaultDialect, keyPlacement: 'Authorization' },
  });
  const gumroad = saved.ok ? saved.value.id : '';
  const ask = (connectionId: string) =>
    harness.askFirst('check', { code: supported, connectionId, fresh: true });
  harness.loseReaders();
  await expect(ask(gumroad)).rejects.toMatchObject({ name: 'PartMissing' });
  expect(await ask(demo)).toMatchObject({ outcome: { ok: true } });
});

it('a policy counts before a page is open, and one that is applied loads nothing', async () => {
  await harness.wake();
  const loads = harness.loads();
  await harness.setPolicy(settings);
  expect(harness.loads()).toBe(loads + 1);
  expect(await harness.askFirst('sites.list', {})).toMatchObject([
    { origin: 'https://desk.example' },
  ]);

  await harness.wake();
  expect(harness.loads()).toBe(loads + 1);
});

it('an alarm ends a deletion in a worker that nobody has asked anything', async () => {
  const { id } = await harness.connect('/demo');
  await harness.ask('connections.delete', { id });
  await harness.wake();
  harness.pass(40_000);
  await harness.runAlarms();
  expect(await harness.ask('connections.restore', { id })).toMatchObject({ ok: false });
});
