import { expect, test } from 'vitest';

import { inspectText } from '#core/license/inspect/inspect';
import type { Inspection } from '#core/license/inspect/inspection';
import { webCryptoEngine } from '#core/license/signature/engines';
import { plainScript, scriptFrom } from '#core/rehearsal/claims';
import {
  CERTIFICATE_CLAIMS,
  LICENSE_CLAIMS,
  NOW,
  pinned,
  token,
  without,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/license/signature/sign';

const signer = makeSigner(1);
const inspect = (text: string): Promise<Inspection> =>
  inspectText(text, {
    keys: [pinned(signer)],
    engine: webCryptoEngine(crypto.subtle),
    now: NOW,
  });
const bundle = (license: string, more: object = {}): string => JSON.stringify({ license, ...more });
const nameless = without(LICENSE_CLAIMS, 'product_slug');

test('without a customer’s license a rehearsal is about a sample', async () => {
  expect(plainScript).toEqual({
    claims: { product_slug: 'sample-product', license_type: 'Regular', buyer: 'Rehearsal' },
    domain: 'rehearsal.example',
  });
  expect(scriptFrom(await inspect('nothing'))).toBeUndefined();
});

test('the license’s own claims are taken, its own domain first', async () => {
  const claims = { ...LICENSE_CLAIMS, domain: 'own.example.com', note: 'kept' };
  const text = bundle(token(signer, claims), {
    domain: 'stated.example.com',
    product_slug: 'stated',
    activation_certificate: token(signer, CERTIFICATE_CLAIMS),
  });
  expect(scriptFrom(await inspect(text))).toEqual({ claims, domain: 'own.example.com' });
});

test('then what is stated beside it, then what the certificate says, then the sample’s', async () => {
  const license = token(signer, nameless);
  const certificate = { activation_certificate: token(signer, CERTIFICATE_CLAIMS) };
  const stated = { domain: 'stated.example.com', product_slug: 'stated' };
  expect(scriptFrom(await inspect(bundle(license, { ...stated, ...certificate })))).toEqual({
    claims: { ...nameless, product_slug: 'stated' },
    domain: 'stated.example.com',
  });
  expect(scriptFrom(await inspect(bundle(license, certificate)))).toEqual({
    claims: { ...nameless, product_slug: 'harbour-theme' },
    domain: 'shop.example.com',
  });
  expect(scriptFrom(await inspect(bundle(license)))).toStrictEqual({
    claims: nameless,
    domain: 'rehearsal.example',
  });
});

test('claims that are ambiguous are not taken', async () => {
  const twice = '{"license_id":"a","license_id":"b","product_slug":"orbit"}';
  const inspection = await inspect(bundle(token(signer, twice)));
  expect(inspection.license?.says?.oddities).toEqual(['duplicate-name']);
  expect(scriptFrom(inspection)).toBeUndefined();
});
