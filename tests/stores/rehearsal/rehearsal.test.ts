import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { plainScript } from '#core/rehearsal/control-api';
import { dayMs } from '#core/time/units';
import { useAuthorities } from '#stores/authority/authorities';
import { useRehearsal } from '#stores/rehearsal/rehearsal';
import { askPort } from '#stores/ports';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { type Rig, startRig } from '#tests/sandbox/authority/authority-harness';
import { withWorker } from '#tests/stores/with-worker';

let rig: Rig;
let harness: WorkerHarness;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  harness = await createWorkerHarness();
  const { controlToken, origin: address } = rig;
  const authority = { name: 'Sandbox', address, products: [], controlToken };
  await harness.ask('authorities.save', { ...authority, kind: 'test' });
  return () => harness.close();
});

async function opened(bind: Parameters<typeof withWorker>[1] = () => undefined) {
  const pinia = withWorker(harness, bind);
  await useAuthorities(pinia).load();
  return useRehearsal(pinia);
}

/** A rehearsal whose installation is activated. */
async function activated() {
  const rehearsal = await opened();
  await rehearsal.begin(plainScript);
  await rehearsal.activate();
  expect(rehearsal.standing).toBe('activated');
  return rehearsal;
}

describe('a license’s life', () => {
  test('begins with a sample license that is not activated', async () => {
    const rehearsal = await opened();
    await rehearsal.begin(plainScript);
    expect(rehearsal.fault).toBeUndefined();
    expect(rehearsal.running).toBe(true);
    expect(rehearsal.standing).toBe('not-activated');
    expect(rehearsal.domain).toBe(plainScript.domain);
    expect(rehearsal.events.map(({ act }) => act)).toEqual(['begun']);
  });

  test('goes through grace to its end when the authority is away, and comes back', async () => {
    const rehearsal = await activated();
    await rehearsal.setAvailable(false);
    await rehearsal.passTo(rehearsal.now + 8 * dayMs);
    expect(rehearsal.standing).toBe('validation-due');
    await rehearsal.use();
    expect(rehearsal.standing).toBe('grace');
    await rehearsal.passTo(rehearsal.now + 30 * dayMs);
    expect(rehearsal.standing).toBe('denied');
    await rehearsal.setAvailable(true);
    await rehearsal.use();
    expect(rehearsal.standing).toBe('activated');
    expect(Object.fromEntries(rehearsal.taken)).toEqual({
      activate: 1,
      due: 1,
      unreached: 1,
      'grace-ends': 1,
      return: 1,
    });
    expect(rehearsal.lastPath).toEqual(['return']);
    await rehearsal.end();
    expect(rehearsal.running).toBe(false);
  });

  test('ends when the license is revoked, with the authority’s refusal', async () => {
    const rehearsal = await activated();
    await rehearsal.setRevoked(true);
    await rehearsal.passTo(rehearsal.now + 8 * dayMs);
    await rehearsal.use();
    expect(rehearsal.standing).toBe('denied');
    expect(rehearsal.events[0]?.contact).toMatchObject({
      endpoint: 'validate',
      outcome: 'refused',
    });
    await rehearsal.setRevoked(false);
    await rehearsal.passTo(rehearsal.now + dayMs);
    await rehearsal.use();
    expect(rehearsal.standing).toBe('activated');
  });

  test('a clock that is turned back earns nothing', async () => {
    const rehearsal = await activated();
    await rehearsal.setAvailable(false);
    await rehearsal.passTo(rehearsal.now + 8 * dayMs);
    await rehearsal.use();
    expect(rehearsal.standing).toBe('grace');
    await rehearsal.passTo(rehearsal.now - dayMs);
    expect(rehearsal.events[0]).toMatchObject({ act: 'turned-back', path: ['turned-back'] });
    expect(rehearsal.standing).toBe('validation-due');
  });

  test('an injected fault meets the next call and is written down', async () => {
    const rehearsal = await activated();
    await rehearsal.passTo(rehearsal.now + 8 * dayMs);
    await rehearsal.injectFault('error-500');
    await rehearsal.use();
    const [used, injected] = rehearsal.events;
    expect(injected).toMatchObject({ act: 'injected', injected: 'error-500' });
    expect(used).toMatchObject({ act: 'used', contact: { outcome: 'no-answer' } });
  });
});

describe('what goes wrong', () => {
  test('a lost worker becomes a fault, and the rehearsal stands where it stood', async () => {
    let lost = false;
    const rehearsal = await opened((app) =>
      app.provide(askPort, (topic, body) =>
        lost ? Promise.reject(new Error('gone')) : harness.ask(topic, body),
      ),
    );
    await rehearsal.begin(plainScript);
    lost = true;
    await rehearsal.activate();
    expect(rehearsal.fault).toEqual({ kind: 'worker-lost' });
    expect(rehearsal.standing).toBe('not-activated');
    expect(rehearsal.busy).toBe(false);
    lost = false;
    await rehearsal.activate();
    expect(rehearsal.standing).toBe('activated');
  });

  test('a second act waits for no one: it is passed over while one runs', async () => {
    const rehearsal = await opened();
    await rehearsal.begin(plainScript);
    await Promise.all([rehearsal.activate(), rehearsal.activate()]);
    expect(rehearsal.events.map(({ act }) => act)).toEqual(['activated', 'begun']);
  });

  test('nothing begins without a test authority', async () => {
    const [authority] = await harness.ask('authorities.list', {});
    await harness.ask('authorities.delete', { id: authority?.id ?? '' });
    const rehearsal = await opened();
    await rehearsal.begin(plainScript);
    expect(rehearsal.running).toBe(false);
  });
});
