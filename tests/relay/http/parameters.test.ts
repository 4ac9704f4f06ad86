import { expect, test } from 'vitest';

import { readParameters } from '#relay/http/messages';

const token = `cfr1_${'0'.repeat(16)}_${'1'.repeat(64)}_${'2'.repeat(8)}`;

const read = (contentType: string, body: string, query = ''): ReturnType<typeof readParameters> =>
  readParameters({ contentType, body: Buffer.from(body), query: new URLSearchParams(query) }, [
    'purchase_code',
  ]);

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

test.each([
  ['a form', form, 'purchase_code=a+b', 'a b'],
  ['the last of two in a form', form, 'purchase_code=a&purchase_code=b', 'b'],
  ['JSON', `${json}; charset=utf-8`, '{"purchase_code":"a"}', 'a'],
  ['a number in JSON', json, '{"purchase_code":12}', '12'],
  ['a form without it', form, 'code=a', ''],
  ['no body', '', '', ''],
])('reads the parameter from %s', async (_what, type, body, value) => {
  expect(await read(type, body)).toEqual({ ok: true, value: [value] });
});

test.each([
  ['a list as the value', json, '{"purchase_code":["a"]}'],
  ['JSON that is none', json, '{"purchase_code":"a"'],
  ['JSON of another kind', json, '["a"]'],
  ['another type', 'text/plain', 'purchase_code=a'],
  ['no type', '', 'purchase_code=a'],
  ['parts without their boundary', 'multipart/form-data', 'purchase_code=a'],
])('refuses a body that it does not read: %s', async (_what, type, body) => {
  expect(await read(type, body)).toEqual({ ok: false, fault: 'request-unreadable' });
});

test('reads the parameter from the query where the body has none', async () => {
  expect(await read('', '', 'purchase_code=a')).toEqual({ ok: true, value: ['a'] });
});

test('reads several in the order of their names', async () => {
  const source = { contentType: form, body: Buffer.from('b=2'), query: new URLSearchParams('a=1') };
  expect(await readParameters(source, ['b', 'page[number]', 'a'])).toEqual({
    ok: true,
    value: ['2', '', '1'],
  });
});

test.each([
  ['a query', '', '', `x=${token}`],
  ['a form', form, `api_key=${token}`, ''],
  ['a form, with escapes', form, `x=${token.replaceAll('_', '%5F')}`, ''],
  ['JSON', json, JSON.stringify({ token }), ''],
  ['an object in JSON', json, JSON.stringify({ auth: { token } }), ''],
  ['a list', json, JSON.stringify([token]), ''],
  ['plain text', 'text/plain', token, ''],
  ['a body without a type', '', `token=${token}`, ''],
])('refuses a token in %s', async (_what, type, body, query) => {
  expect(await read(type, body, query)).toEqual({ ok: false, fault: 'token-misplaced' });
});
