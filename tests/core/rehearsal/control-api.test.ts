import { expect, test } from 'vitest';

import { readControlState, readSampleLicense } from '#core/rehearsal/control-api';
import type { RawReply } from '#core/marketplaces/exchange';

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
