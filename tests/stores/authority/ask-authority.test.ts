import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ValidationRequest } from '#core/authority/validation-request';
import { validationRequestOf } from '#core/authority/validation-request';
import type { Inspection } from '#core/license/inspect/inspection';
import type { AuthorityState } from '#messaging/authority/protocol';
import type { Ask } from '#messaging/protocol';
import { type AskAuthority, useAskAuthority } from '#stores/authority/ask-authority';
import { askPort, clockPort } from '#stores/ports';
import { clockMemoryPort, keyRingPort, verifyPort } from '#stores/verifier/ports';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';
import type { Rig } from '#tests/sandbox/authority/authority-harness';
import { startRig } from '#tests/sandbox/authority/authority-harness';
import {
  createInProcessVerify,
  createMemoryKeyRing,
  pinnedKey,
} from '#tests/stores/verifier/verifier-ports';

let harness: WorkerHarness;
let rig: Rig;
let authority: AuthorityState;
beforeAll(async () => {
  rig = await startRig();
  harness = await createWorkerHarness();
  const saved = await harness.ask('authorities.save', {
    name: 'Sandbox',
    address: rig.origin,
    kind: 'test',
    products: [],
  });
  if (!saved.ok) throw new Error(saved.fault.kind);
  authority = saved.value;
});
afterAll(async () => {
  await harness.close();
  await rig.close();
});

interface Opened {
  readonly inquiry: AskAuthority;
  readonly inspection: Inspection;
  readonly question: ValidationRequest;
  readonly send: () => Promise<void>;
}

/** Opens a sample of the sandbox with the authority's key pinned. */
async function opened(sample: string, ask: Ask = harness.ask): Promise<Opened> {
  const verify = createInProcessVerify();
  const key = pinnedKey(rig.publicKey.pem, { kind: 'test' });
  const now = Date.now();
  const app = createApp({})
    .use(createPinia())
    .provide(askPort, ask)
    .provide(clockPort, () => Date.now())
    .provide(keyRingPort, createMemoryKeyRing([key]))
    .provide(verifyPort, verify)
    .provide(clockMemoryPort, {
      note: (moment) => Promise.resolve(moment),
      reset: () => Promise.resolve(),
    });
  const text = await (await fetch(`${rig.origin}/samples/${sample}`)).text();
  const { inspection } = await verify.ask({
    ask: 'inspect',
    source: { text },
    context: { now, latestSeen: now, keys: [key], expected: {}, unreached: false },
  });
  const question = validationRequestOf(inspection, {});
  if (!question.ok) throw new Error(question.fault.kind);
  const inquiry = app.runWithContext(useAskAuthority);
  return {
    inquiry,
    inspection,
    question: question.value,
    send: () => inquiry.ask(authority, question.value, { inspection, expected: {} }),
  };
}

test('a granted answer shows the bundle before and after it', async () => {
  const { inquiry, send } = await opened('validation-due-bundle.json');
  const sent = send();
  expect(inquiry.busy.value).toBe(true);
  await sent;
  expect(inquiry.busy.value).toBe(false);
  expect(inquiry.answered.value).toMatchObject({
    authority: { name: 'Sandbox' },
    outcome: { kind: 'granted' },
    before: { standing: 'validation-due' },
    after: { standing: 'activated' },
  });
});

test('a refusal denies the installation', async () => {
  const { inquiry, send } = await opened('activated-revoked-since.json');
  await send();
  expect(inquiry.answered.value).toMatchObject({
    outcome: { kind: 'refused' },
    before: { standing: 'activated' },
    after: { standing: 'denied' },
  });
});

test('an outage leaves the installation in grace', async () => {
  const { inquiry, send } = await opened('validation-due-bundle.json');
  await rig.control('faults', { kind: 'error-500' });
  await send();
  expect(inquiry.answered.value).toMatchObject({
    outcome: { kind: 'unavailable' },
    after: { standing: 'grace' },
  });
});

test('a lost worker is told from an outage of the authority, and changes nothing', async () => {
  const { inquiry, send } = await opened('validation-due-bundle.json', () =>
    Promise.reject(new Error('no worker')),
  );
  await send();
  expect(inquiry.answered.value?.outcome).toEqual({
    kind: 'unasked',
    fault: { kind: 'worker-lost' },
  });
  expect(inquiry.answered.value).not.toHaveProperty('after');
  expect(inquiry.busy.value).toBe(false);
});

test('an origin that the browser does not allow is not asked', async () => {
  harness.granted.delete('http://127.0.0.1/*');
  const { inquiry, send } = await opened('validation-due-bundle.json');
  await send();
  harness.granted.add('http://127.0.0.1/*');
  expect(inquiry.answered.value?.outcome).toMatchObject({
    kind: 'unasked',
    fault: { kind: 'not-permitted' },
  });
});

test('a license that does not hold for its domain is sent nowhere', async () => {
  let asked = 0;
  const { inquiry, inspection, question } = await opened('validation-due-bundle.json', () => {
    asked += 1;
    return Promise.reject(new Error('not reached'));
  });
  const elsewhere = { ...question.request, productSlug: 'another-product' };
  await inquiry.ask(authority, { ...question, request: elsewhere }, { inspection, expected: {} });
  expect(asked).toBe(0);
  expect(inquiry.answered.value?.outcome.kind).toBe('unasked');
});

test('a second request waits for no answer and is not sent', async () => {
  let asked = 0;
  const { send } = await opened('validation-due-bundle.json', (topic, body) => {
    asked += 1;
    return harness.ask(topic, body);
  });
  await Promise.all([send(), send()]);
  expect(asked).toBe(1);
});
