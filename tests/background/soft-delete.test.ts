import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createSoftDelete, deletableIn } from '#background/soft-delete';
import { succeed } from '#core/result';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';

const undoMs = 30_000;
const retryMs = 900_000;
const full = { ok: false, fault: { kind: 'storage-full' } };
const address = 'http://localhost:4000';

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

async function addAuthority(): Promise<string> {
  const saved = await harness.ask('authorities.save', {
    name: 'Main',
    address,
    kind: 'live',
    products: [],
  });
  if (!saved.ok) throw new Error(saved.fault.kind);
  return saved.value.id;
}

it('an authority that a full disk does not let go is not reported as deleted', async () => {
  const id = await addAuthority();
  harness.setDiskFull(true);
  expect(await harness.ask('authorities.delete', { id })).toEqual(full);
  expect(await harness.ask('authorities.list', {})).toHaveLength(1);
});

it('a connection that a full disk does not let go keeps its place, its key and its replies', async () => {
  const { id } = await harness.connect('/market');
  const code = '4e2e8b4d-c3e4-457a-8873-d20a7b8c74df';
  await harness.ask('check', { connectionId: id, code, fresh: false });
  harness.setDiskFull(true);
  expect(await harness.ask('connections.delete', { id })).toEqual(full);
  expect(await harness.ask('connections.list', {})).toMatchObject([{ id, hasKey: true }]);
  expect(harness.session.dump()).toContain(code);
});

it('a connection that a full disk does not bring back can be brought back later', async () => {
  const { id } = await harness.connect('/market');
  await harness.ask('connections.delete', { id });
  harness.setDiskFull(true);
  expect(await harness.ask('connections.restore', { id })).toEqual(full);
  harness.setDiskFull(false);
  expect(await harness.ask('connections.restore', { id })).toMatchObject({ ok: true });
});

it('an order that a full disk does not store is not reported as stored', async () => {
  const market = await harness.connect('/market');
  const demo = await harness.connect('/demo');
  harness.setDiskFull(true);
  expect(await harness.ask('connections.reorder', { ids: [demo.id, market.id] })).toEqual(full);
  expect(await harness.ask('connections.list', {})).toMatchObject([{ id: market.id }, {}]);
});

it('a plain User-Agent that a full disk does not store is not reported as set', async () => {
  const { id } = await harness.connect('/market');
  harness.setDiskFull(true);
  expect(await harness.ask('connections.plain-user-agent', { id, on: true })).toEqual(full);
  expect(await harness.ask('connections.list', {})).toMatchObject([
    { dialect: { plainUserAgent: false } },
  ]);
  expect(harness.ruled()).toEqual([]);
});

it('a deletion that cannot be finished on a full disk is finished later', async () => {
  const id = await addAuthority();
  await harness.ask('authorities.delete', { id });
  harness.setDiskFull(true);
  harness.pass(undoMs);
  await harness.runAlarms();
  expect(harness.granted).toContain('http://localhost/*');
  harness.setDiskFull(false);
  harness.pass(retryMs);
  await harness.runAlarms();
  expect(harness.granted).not.toContain('http://localhost/*');
});

it('a deletion that cannot be ended keeps no other from its end, and is ended later', async () => {
  const market = await harness.connect('/market');
  const demo = await harness.connect('/demo');
  await harness.ask('connections.delete', { id: market.id });
  await harness.ask('connections.delete', { id: demo.id });
  const forget = vi.spyOn(harness.jobs, 'forgetConnection');
  forget.mockImplementationOnce(() => Promise.reject(new Error('full')));
  harness.pass(undoMs);
  await harness.restart();
  expect(forget.mock.calls).toEqual([[market.id], [demo.id]]);
  harness.pass(retryMs);
  await harness.runAlarms();
  expect(forget.mock.calls.slice(2)).toEqual([[market.id]]);
  harness.pass(undoMs);
  await harness.restart();
  expect(forget).toHaveBeenCalledTimes(3);
});

it('a deletion that has ended wakes the worker no more', async () => {
  const market = await harness.connect('/market');
  const demo = await harness.connect('/demo');
  await harness.ask('connections.delete', { id: market.id });
  harness.pass(undoMs / 2);
  await harness.ask('connections.delete', { id: demo.id });
  harness.pass(undoMs / 2);
  await harness.restart();
  expect(harness.alarms.has('finalise-deletions')).toBe(true);
  harness.pass(undoMs / 2);
  await harness.runAlarms();
  expect(harness.alarms.has('finalise-deletions')).toBe(false);
});

it('a deletion that keeps failing wakes the worker once in a quarter of an hour', async () => {
  const { id } = await harness.connect('/market');
  await harness.ask('connections.delete', { id });
  const forget = vi.spyOn(harness.jobs, 'forgetConnection');
  forget.mockImplementation(() => Promise.reject(new Error('full')));
  for (let passed = 0; passed < retryMs + undoMs; passed += undoMs) {
    harness.pass(undoMs);
    await harness.runAlarms();
  }
  expect(forget).toHaveBeenCalledTimes(2);
});

it('a feature that fails to start keeps no other from starting', async () => {
  const { id } = await harness.connect('/market');
  await harness.ask('connections.delete', { id });
  harness.pass(undoMs);
  await harness.local.set({ secrets: { version: 99 } });
  const prune = vi.spyOn(harness.history, 'prune');
  await harness.restart().catch(() => undefined);
  expect(prune).toHaveBeenCalled();
});

it('the alarm that ends a deletion is set before the deletion is noted, since the worker may be stopped between them', async () => {
  const seen: string[] = [];
  const deletion = createSoftDelete<{ readonly id: string }>({
    store: deletableIn({
      read: () => Promise.resolve([]),
      change: () => {
        seen.push('noted');
        return Promise.resolve(succeed([]));
      },
    }),
    scheduleAlarm: () => {
      seen.push('alarm');
      return Promise.resolve();
    },
    now: () => 0,
  });
  await deletion.delete('a');
  expect(seen).toEqual(['alarm', 'noted']);
});
