import { expect, test } from 'vitest';
import {
  readControlState,
  readSampleLicense,
  plainScript,
  scriptFrom,
} from '#core/rehearsal/control-api';
import type { RawReply } from '#core/marketplaces/exchange';
import { inspectText } from '#core/license/inspect/inspect';
import type { Inspection } from '#core/license/inspect/inspection';
import { webCryptoEngine } from '#core/license/signature/ed25519';
import {
  CERTIFICATE_CLAIMS,
  LICENSE_CLAIMS,
  NOW,
  pinned,
  token,
  without,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/license/signature/sign';

const state = {
  now: 5,
  available: true,
  config: { validationSeconds: 60, graceSeconds: 120 },
  keys: [{ pem: 'one' }, { pem: 'two' }],
};
const sample = { licenseId: 'L-1', license: 'a.b' };

const reply = (body: unknown, status = 200): RawReply => ({
  status,
  contentType: 'application/json',
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
});

test('the state of a test authority is read', () => {
  expect(readControlState(reply(state))).toEqual({
    now: 5,
    available: true,
    validationSeconds: 60,
    graceSeconds: 120,
    keys: ['one', 'two'],
  });
});

test('a signed sample is read', () => {
  expect(readSampleLicense(reply(sample))).toEqual(sample);
});

test.each<[string, RawReply]>([
  ['another status', reply(state, 201)],
  ['HTML', reply('<h1>404</h1>')],
  ['a list', reply([state])],
  ['an object without a clock', reply({ ...state, now: undefined })],
  ['without deadlines', reply({ ...state, config: {} })],
  ['without keys', reply({ ...state, keys: [{}] })],
  ['bytes that are no text', { ...reply(''), body: Uint8Array.of(0x7b, 0xff, 0x7d) }],
])('%s is no control endpoint', (_, answer) => {
  expect(readControlState(answer)).toBeUndefined();
});

test.each<[string, RawReply]>([
  ['another status', reply(sample, 500)],
  ['no id', reply({ ...sample, licenseId: '' })],
  ['no license', reply({ ...sample, license: '' })],
  ['a text', reply('"a.b"')],
])('%s is no sample', (_, answer) => {
  expect(readSampleLicense(answer)).toBeUndefined();
});

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
