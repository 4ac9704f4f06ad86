import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { createAuthorityHttp } from '#adapters/http/authority-http';
import {
  createValidationInquiry,
  type ValidationFinding,
  validationRequestOf,
  decodeReply,
  encodeReply,
} from '#core/authority/validation-request';
import { chooseEngine } from '#core/keys/ed25519';
import { inspectText, type Inspection, type VerifyContext } from '#core/license/index';
import { pin } from '#tests/core/installation/site';
import { type Rig, startRig } from '#tests/sandbox/authority/authority-harness';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  await rig.control('faults', undefined, 'DELETE');
});

const contextOf = async (): Promise<VerifyContext> => ({
  keys: [pin(rig.publicKey.pem)],
  engine: await chooseEngine(),
});

/** Asks the real authority about a sample, and inspects what the installation would then keep. */
async function askAbout(name: string): Promise<ValidationFinding & { after: Inspection }> {
  const now = Date.now();
  const context = await contextOf();
  const text = await (await fetch(`${rig.origin}/samples/${name}`)).text();
  const inspection = await inspectText(text, { ...context, now });
  const question = validationRequestOf(inspection, {});
  if (!question.ok) throw new Error(question.fault.kind);
  const { request } = question.value;
  const inquiry = createValidationInquiry(request, inspection, context);
  expect(await inquiry.fault()).toBeUndefined();
  const http = createAuthorityHttp(rig.origin, { fetch, isOnline: () => true, now: Date.now });
  const reply = await http.validate(request);
  const finding = await inquiry.judge(
    reply.ok ? { ok: true, value: decodeReply(encodeReply(reply.value)) } : reply,
    now,
  );
  return { ...finding, after: await inspectText(finding.state, { ...context, now }) };
}

test('a confirmation is a certificate that verifies and renews the bundle', async () => {
  const { outcome, after } = await askAbout('validation-due-bundle.json');
  expect(outcome.kind).toBe('granted');
  expect(after.standing).toBe('activated');
});

test('a refusal denies, in the authority’s words', async () => {
  const { outcome, after } = await askAbout('activated-revoked-since.json');
  expect(outcome).toMatchObject({ kind: 'refused', refusal: { status: 403 } });
  expect(after.standing).toBe('denied');
});

test.each([
  ['captive-portal', 'not-json'],
  ['blocked-page', 'not-json'],
  ['unauthorized', 'no-answer'],
  ['redirect', 'redirected'],
  ['wrong-key', 'certificate-not-genuine'],
  ['no-certificate', 'no-certificate'],
  ['other-domain', 'mismatch'],
  ['other-installation', 'mismatch'],
  ['other-product', 'mismatch'],
])('%s leaves a due bundle in grace', async (kind, fault) => {
  await rig.control('faults', { kind });
  const { outcome, after } = await askAbout('validation-due-bundle.json');
  expect(outcome).toMatchObject({ kind: 'unavailable', fault: { kind: fault } });
  expect(after.standing).toBe('grace');
});

test.each(['jws', 'pair', 'member'])('a new certificate as %s is read too', async (encoding) => {
  await rig.control('config', { certificateEncoding: encoding });
  const { outcome, after } = await askAbout('validation-due-bundle.json');
  await rig.control('config', { certificateEncoding: 'token' });
  expect(outcome.kind).toBe('granted');
  expect(after.standing).toBe('activated');
});

test('a key of another authority does not count for this one', async () => {
  const key = pin(rig.publicKey.pem, { authority: 'https://others.test' });
  const context = { ...(await contextOf()), keys: [key] };
  const text = await (await fetch(`${rig.origin}/samples/activated-bundle.json`)).text();
  const inspection = await inspectText(text, { ...context, now: Date.now() });
  const question = validationRequestOf(inspection, {});
  if (!question.ok) throw new Error(question.fault.kind);
  const inquiry = createValidationInquiry(question.value.request, inspection, {
    ...context,
    authority: rig.origin,
  });
  expect(await inquiry.fault()).toMatchObject({
    kind: 'license-not-genuine',
    fault: { kind: 'other-authority' },
  });
});
