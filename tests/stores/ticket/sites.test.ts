import { afterEach, beforeEach, expect, test } from 'vitest';

import { useSites } from '#stores/ticket/sites';
import { useUndoOffer } from '#stores/ui/undo-offer';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';
import { withPorts } from '#tests/stores/with-ports';

const origin = 'http://localhost:4000';
const pattern = 'http://localhost/*';

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

/** @param answer what the agent answers the browser's prompt */
function opened(answer = true) {
  const events: string[] = [];
  const pinia = withPorts({
    ask: (topic, body) => {
      events.push(topic);
      return harness.ask(topic, body);
    },
    access: (address) => {
      events.push(`access to ${address}`);
      if (answer) harness.granted.add(pattern);
      return Promise.resolve(answer);
    },
  });
  return { sites: useSites(pinia), undo: useUndoOffer(pinia), events };
}

test('a site is stored and the browser is asked in one task', async () => {
  const { sites, events } = opened();
  const allowed = sites.allow(origin);
  expect(events).toEqual([`access to ${origin}`, 'sites.allow']);
  expect(await allowed).toBe(true);
  expect(sites.findPermitted(origin)).toEqual({ origin, automatic: false, permitted: true });
});

test('a refusal of the browser takes a new site out again', async () => {
  harness.granted.delete(pattern);
  const { sites } = opened(false);
  expect(await sites.allow(origin)).toBe(false);
  expect(await harness.ask('sites.list', {})).toEqual([]);
});

test('a refusal leaves a site that was listed before', async () => {
  await harness.ask('sites.allow', { origin });
  harness.granted.delete(pattern);
  const { sites } = opened(false);
  await sites.load();
  expect(sites.list).toHaveLength(1);
  expect(sites.findPermitted(origin)).toBeUndefined();
  expect(await sites.allow(origin)).toBe(false);
  expect(await harness.ask('sites.list', {})).toHaveLength(1);
});

test('a removed site is gone at once, and is brought back with its settings', async () => {
  const { sites, undo } = opened();
  const expectedItem = { connectionId: 'market', itemId: 7, name: 'Anchor' };
  await sites.allow(origin);
  await sites.setAutomatic(origin, true);
  await sites.setExpectedItem(origin, expectedItem);
  expect(sites.list).toMatchObject([{ automatic: true }]);
  await sites.remove(origin);
  expect(sites.list).toEqual([]);
  expect(harness.granted).not.toContain(pattern);
  expect(await undo.accept()).toBe(origin);
  expect(sites.list).toEqual([{ origin, automatic: true, permitted: true, expectedItem }]);
  await sites.setExpectedItem(origin, undefined);
  expect(sites.list).toEqual([{ origin, automatic: true, permitted: true }]);
});

test('a site that the browser no longer allows is not brought back', async () => {
  const { sites } = opened();
  await sites.allow(origin);
  const refusing = opened(false);
  await refusing.sites.load();
  await refusing.sites.remove(origin);
  expect(await refusing.undo.accept()).toBeUndefined();
  expect(refusing.undo.offer).toEqual({
    list: 'sites',
    id: origin,
    name: origin,
    fault: { kind: 'not-permitted' },
  });
  expect(refusing.sites.list).toEqual([]);
});

test('a full disk is named, not taken for a refusal of the browser', async () => {
  harness.setDiskFull(true);
  const { sites } = opened();
  expect(await sites.allow(origin)).toBe(false);
  expect(sites.fault).toEqual({ kind: 'storage-full' });
  expect(sites.list).toEqual([]);
});

test('a site that a full disk does not let go stays listed, and no undo is offered', async () => {
  const { sites, undo } = opened();
  await sites.allow(origin);
  harness.setDiskFull(true);
  await sites.remove(origin);
  expect(sites.list).toMatchObject([{ origin }]);
  expect(sites.fault).toEqual({ kind: 'storage-full' });
  expect(undo.offer).toBeUndefined();
  harness.setDiskFull(false);
  await sites.setAutomatic(origin, true);
  expect(sites.fault).toBeUndefined();
});
