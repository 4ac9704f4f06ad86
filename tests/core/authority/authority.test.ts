import { object, safeParse } from 'valibot';
import { describe, expect, test } from 'vitest';

import {
  parseAuthorityAddress,
  authorityFields,
  authorityIdSchema,
} from '#core/authority/authority';
import { succeed } from '#core/result';

const fields = {
  name: 'Licensing',
  address: 'https://authority.example/base',
  kind: 'live',
  products: ['orbit'],
};
const isRead = (changes: object): boolean =>
  safeParse(object(authorityFields), { ...fields, ...changes }).success;

describe('a stored authority', () => {
  test.each([
    {},
    { kind: 'test' },
    { products: [] },
    { name: 'n'.repeat(80) },
    { products: ['p'.repeat(100)] },
  ])('is read with %j', (changes) => {
    expect(isRead(changes)).toBe(true);
  });

  test.each([
    { kind: 'sample' },
    { kind: '' },
    { name: '' },
    { name: '  ' },
    { name: 'n'.repeat(81) },
    { address: 'https://authority.example/base/' },
    { address: 'https://authority.example/base/api/license/validate' },
    { address: 'authority' },
    { address: 5 },
    { products: [''] },
    { products: ['p'.repeat(101)] },
    { products: Array.from({ length: 101 }, String) },
    { products: 'orbit' },
  ])('is none with %j', (changes) => {
    expect(isRead(changes)).toBe(false);
  });

  test.each([
    ['a', true],
    ['0b3f-6d_1', true],
    ['a'.repeat(64), true],
    ['', false],
    ['a'.repeat(65), false],
    ['a b', false],
    [' a', false],
    ['a.', false],
  ])('has an id of letters, digits, - and _: %j %s', (id, isId) => {
    expect(safeParse(authorityIdSchema, id).success).toBe(isId);
  });
});

test.each([
  ['https://a.example/', 'https://a.example'],
  [' https://a.example ', 'https://a.example'],
  ['https://a.example/base/license', 'https://a.example/base'],
  ['https://a.example/base/license/v1', 'https://a.example/base'],
  ['https://a.example/base/license/activate', 'https://a.example/base'],
  ['https://a.example/base/api/license/v1/validate/', 'https://a.example/base'],
])('%j is the address %s', (text, address) => {
  expect(parseAuthorityAddress(text)).toMatchObject(succeed({ address }));
});
