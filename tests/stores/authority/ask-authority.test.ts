import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { badgeOf } from '#components/verifier/result/messages';
import {
  type AuthorityState,
  type ValidationRequest,
  validationRequestOf,
} from '#core/authority/index';
import type { Expected, Inspection } from '#core/license/index';
import type { Ask } from '#messaging/index';
import { useAskAuthority } from '#stores/authority/ask-authority';
import { askPort, clockPort } from '#stores/ports';
import { type Answered, useAuthorityAnswers } from '#stores/verifier/index';
import { clockMemoryPort, keyRingPort, verifyPort } from '#stores/verifier/ports';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';
import { type Rig, startRig } from '#tests/sandbox/authority/authority-harness';
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
  readonly answers: ReturnType<typeof useAuthorityAnswers>;
  readonly answered: () => Answered | undefined;
  readonly inspection: Inspection;
  readonly question: ValidationRequest;
  readonly send: (question?: ValidationRequest) => Promise<void>;
}

/** Opens a sample of the sandbox with the authority's key pinned. */
async function opened(
  sample: string,
  ask: Ask = harness.ask,
  expected: Expected = {},
): Promise<Opened> {
  const verify = createInProcessVerify();
  const key = pinnedKey(rig.publicKey.pem, { kind: 'test' });
  const now = Date.now();
  const pinia = createPinia();
  const app = createApp({})
    .use(pinia)
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
    context: { now, latestSeen: now, keys: [key], expected, unreached: false },
  });
  const question = validationRequestOf(inspection, {});
  if (!question.ok) throw new Error(question.fault.kind);
  const inquiry = app.runWithContext(useAskAuthority);
  const answers = useAuthorityAnswers(pinia);
  return {
    answers,
    answered: () => answers.lastAbout(inspection),
    inspection,
    question: question.value,
    send: (other = question.value) => inquiry(authority, other, { inspection, expected }),
  };
}

test('a granted answer shows the bundle before and after it', async () => {
  const { answers, answered, send } = await opened('validation-due-bundle.json');
  const sent = send();
  expect(answers.busy).toBe(true);
  await sent;
  expect(answers.busy).toBe(false);
  expect(answered()).toMatchObject({
    authority: { name: 'Sandbox' },
    outcome: { kind: 'granted' },
    before: { standing: 'validation-due' },
    after: { standing: 'activated' },
  });
});

test('a refusal denies the installation', async () => {
  const { answered, send } = await opened('activated-revoked-since.json');
  await send();
  expect(answered()).toMatchObject({
    outcome: { kind: 'refused' },
    before: { standing: 'activated' },
    after: { standing: 'denied' },
  });
});

test('a refusal leads after the answer as it does in the headline, whatever else is wrong', async () => {
  const expected = { domain: 'another.example' };
  const { answered, send } = await opened('activated-revoked-since.json', harness.ask, expected);
  await send();
  const { before, after } = answered() ?? {};
  expect(before?.headline.sentences[0]?.id).toBe('mismatch-domain');
  expect(after?.headline.sentences[0]?.id).toBe('denied-refused');
  expect(badgeOf('denied', after?.headline).word).toBe('denied-refused');
});

test('an outage leaves the installation in grace', async () => {
  const { answered, send } = await opened('validation-due-bundle.json');
  await rig.control('faults', { kind: 'error-500' });
  await send();
  expect(answered()).toMatchObject({
    outcome: { kind: 'unavailable' },
    after: { standing: 'grace' },
  });
});

test('a lost worker is told from an outage of the authority, and changes nothing', async () => {
  const { answered, send } = await opened('validation-due-bundle.json', () =>
    Promise.reject(new Error('no worker')),
  );
  await send();
  expect(answered()?.outcome).toEqual({
    kind: 'unasked',
    fault: { kind: 'worker-lost' },
  });
  expect(answered()).not.toHaveProperty('after');
});

test('an origin that the browser does not allow is not asked', async () => {
  harness.granted.delete('http://127.0.0.1/*');
  const { answered, send } = await opened('validation-due-bundle.json');
  await send();
  harness.granted.add('http://127.0.0.1/*');
  expect(answered()?.outcome).toMatchObject({
    kind: 'unasked',
    fault: { kind: 'not-permitted' },
  });
});

test('a license that does not hold for its domain is sent nowhere', async () => {
  let asked = 0;
  const { answered, send, question } = await opened('validation-due-bundle.json', () => {
    asked += 1;
    return Promise.reject(new Error('not reached'));
  });
  const elsewhere = { ...question.request, productSlug: 'another-product' };
  await send({ ...question, request: elsewhere });
  expect(asked).toBe(0);
  expect(answered()?.outcome.kind).toBe('unasked');
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

test('a refusal counts until another answer about the same documents; an outage after it changes nothing', async () => {
  const { answers, answered, inspection, send } = await opened('activated-revoked-since.json');
  await send();
  const [refusal] = answers.list;
  expect(refusal).toMatchObject({
    license: inspection.license?.raw,
    certificate: inspection.certificate?.raw,
    authority: 'Sandbox',
    outcome: 'refused',
    msg: 'This license has been revoked: the purchase was refunded.',
  });
  expect(answers.refusedAt(inspection)).toBe(refusal?.at);
  await rig.control('faults', { kind: 'error-500' });
  await send();
  expect(answered()).toMatchObject({
    outcome: { kind: 'unavailable' },
    after: { standing: 'denied', headline: { sentences: [{ id: 'denied-refused' }] } },
  });
  expect(answers.list).toEqual([refusal]);
});
