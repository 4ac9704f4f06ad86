import { expect, test } from 'vitest';

import type { Inspection } from '#core/license/inspect/inspection';
import { isLicenseWithCertificate } from '#core/verifier/document-pair';
import { createVerifier } from '#core/verifier/verifier';
import { createTestAuthority, installationState } from '#tests/support/license-files';

const verifier = createVerifier();
const state = JSON.parse(installationState(createTestAuthority())) as Record<string, string>;
const { license = '', activation_certificate: certificate = '' } = state;

async function inspectionOf(text: string): Promise<Inspection> {
  const context = { now: Date.now(), keys: [], expected: {}, unreached: false };
  return (await verifier.answer({ ask: 'inspect', source: { text }, context })).inspection;
}

test.each([
  [true, 'a license and a certificate', license, certificate],
  [true, 'a certificate and a license', certificate, license],
  [false, 'two licenses', license, license],
  [false, 'two certificates', certificate, certificate],
  [false, 'a license and a file with both', license, JSON.stringify(state)],
  [false, 'a license and no document', license, 'no document'],
])('%s: %s', async (expected, _, first, second) => {
  const pair = [await inspectionOf(first), await inspectionOf(second)] as const;
  expect(isLicenseWithCertificate(...pair)).toBe(expected);
});

test('a document that could not be judged is no part of a pair', async () => {
  expect(isLicenseWithCertificate(await inspectionOf(license), undefined)).toBe(false);
});
