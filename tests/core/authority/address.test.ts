import { expect, test } from 'vitest';

import { parseAuthorityAddress } from '#core/authority/authority';
import { fail, succeed } from '#core/result';

test.each([
  ['https://licenses.test', 'https://licenses.test'],
  ['licenses.test/', 'https://licenses.test'],
  ['https://licenses.test/shop/api/license/v1/validate', 'https://licenses.test/shop'],
  ['https://licenses.test/api/license/v1', 'https://licenses.test'],
  ['127.0.0.1:8788', 'http://127.0.0.1:8788'],
])('%s is read as %s', (typed, address) => {
  expect(parseAuthorityAddress(typed)).toMatchObject(succeed({ address }));
});

test.each([
  ['', 'empty'],
  ['http://licenses.test', 'insecure'],
  ['https://user:word@licenses.test', 'user-info'],
  ['https://licenses.test/?a', 'query'],
])('%s is refused', (typed, kind) => {
  expect(parseAuthorityAddress(typed)).toMatchObject(fail({ kind }));
});
