import { expect, test } from 'vitest';

import { createVerifier } from '#core/verifier/verifier';
import { createTestAuthority, installationState } from '#tests/support/license-files';

const verifier = createVerifier();
const state = JSON.parse(installationState(createTestAuthority())) as Record<string, string>;
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
  expect(await verifier.answer({ ask: 'arrange', files })).toEqual({ as });
});

test('a file that is gone is no part of a pair', async () => {
  const gone = new Blob([certificate]);
  gone.arrayBuffer = () =>
    Promise.reject(new DOMException('The file is gone.', 'NotReadableError'));
  const files = [new Blob([license]), gone];
  expect(await verifier.answer({ ask: 'arrange', files })).toEqual({ as: 'documents' });
});
