import { afterEach, beforeEach, expect, test } from 'vitest';

import { useAuthorities } from '#stores/authority/authorities';
import { useUndoOffer } from '#stores/ui/undo-offer';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';
import { withPorts } from '#tests/stores/with-ports';

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

async function opened() {
  await harness.ask('authorities.save', {
    name: 'Sandbox',
    address: 'http://localhost:1',
    kind: 'test',
    products: [],
  });
  const pinia = withPorts({ ask: harness.ask, clock: () => Date.now() });
  const authorities = useAuthorities(pinia);
  const [authority] = await authorities.load();
  if (authority === undefined) throw new Error('No authority was stored.');
  return { authorities, undo: useUndoOffer(pinia), id: authority.id };
}

test('a removed authority is brought back', async () => {
  const { authorities, undo, id } = await opened();
  await authorities.remove(id);
  expect(authorities.list).toEqual([]);
  expect(undo.offer).toMatchObject({ list: 'authorities', id, name: 'Sandbox' });
  expect(await undo.accept()).toBe(id);
  expect(authorities.find(id)?.name).toBe('Sandbox');
});

test('an authority that is gone for good is reported as not brought back', async () => {
  const { authorities, undo, id } = await opened();
  await authorities.remove(id);
  harness.pass(60_000);
  await harness.runAlarms();
  expect(await undo.accept()).toBeUndefined();
  expect(undo.offer).toEqual({
    list: 'authorities',
    id,
    name: 'Sandbox',
    fault: { kind: 'no-authority' },
  });
});

test('an authority whose origin is taken away shows so once it is loaded again', async () => {
  const { authorities, id } = await opened();
  expect(authorities.find(id)?.permitted).toBe(true);
  harness.granted.clear();
  expect(await authorities.allow(id)).toBe(true);
  expect(authorities.find(id)?.permitted).toBe(false);
});

test('an authority that a full disk does not let go stays, and the fault says why', async () => {
  const { authorities, undo, id } = await opened();
  harness.setDiskFull(true);
  await authorities.remove(id);
  expect(authorities.find(id)).toBeDefined();
  expect(undo.offer).toBeUndefined();
  expect(authorities.fault).toEqual({ kind: 'storage-full' });
});
