import { expect, test } from 'vitest';

import { createVerifier } from '#core/verifier/verifier';
import { pinnedKey } from '#tests/stores/verifier/verifier-ports';
import { createTestAuthority, installationState } from '#tests/support/license-files';

const verifier = createVerifier();
const authority = createTestAuthority();
const state = JSON.parse(installationState(authority)) as Record<string, string>;
const context = { now: Date.now(), keys: [pinnedKey(authority.publicKey)] };
const { license = '', activation_certificate: certificate = '' } = state;

test.each([
  ['pair', 'a license and a certificate', license, certificate],
  ['pair', 'a certificate and a license', certificate, license],
  ['documents', 'two licenses', license, license],
  ['documents', 'two certificates', certificate, certificate],
  ['documents', 'a license and a file with both', license, JSON.stringify(state)],
  ['documents', 'a license and no document', license, 'no document'],
])('as a %s: %s', async (as, _, first, second) => {
  const files = [new Blob([first]), new Blob([second])];
  const opened = await verifier.answer({ ask: 'open', files, context });
  expect(opened).toMatchObject({ as, reports: { length: as === 'pair' ? 1 : 2 } });
});

test('a pair is inspected as one document', async () => {
  const files = [new Blob([certificate]), new Blob([license])];
  const opened = await verifier.answer({ ask: 'open', files, context });
  expect(opened).toMatchObject({
    reports: [
      { inspection: { standing: 'activated', license: { genuine: true }, otherCertificates: [] } },
    ],
  });
});

test('one file is opened with its report', async () => {
  const files = [new Blob([JSON.stringify(state)])];
  const opened = await verifier.answer({ ask: 'open', files, context });
  expect(opened).toMatchObject({
    as: 'documents',
    reports: [{ inspection: { standing: 'activated' } }],
  });
});

test('a file that is gone is no part of a pair', async () => {
  const gone = new Blob([certificate]);
  gone.arrayBuffer = () =>
    Promise.reject(new DOMException('The file is gone.', 'NotReadableError'));
  const files = [new Blob([license]), gone];
  expect(await verifier.answer({ ask: 'open', files, context })).toMatchObject({
    as: 'documents',
    reports: [
      { inspection: { license: { genuine: true } } },
      { inspection: { sourceFault: { kind: 'empty' } } },
    ],
  });
});
