import fc from 'fast-check';
import { expect, test } from 'vitest';

import { fail, succeed } from '#core/result';
import { maxApiKeyLength, parseApiKey } from '#core/connections/api-key';

test.each([
  ['a key', 'sk_live-9f/+=.~!', 'sk_live-9f/+=.~!'],
  ['white space around it', ' \n key-1\t ', 'key-1'],
  ['a line break inside', 'key-\r\n1', 'key-1'],
  ['a no-break space and a zero-width one', '\u00a0key\u200b-1\ufeff', 'key-1'],
])('%s is read', (_, text, key) => {
  expect(parseApiKey(text)).toEqual(succeed(key));
});

test.each([
  ['nothing', '', { kind: 'empty' }],
  ['nothing that can be seen', ' \u200b\n', { kind: 'empty' }],
  ['a dash of a word processor', 'key—1', { kind: 'odd-character', character: '—' }],
  ['an accented letter', 'kéy', { kind: 'odd-character', character: 'é' }],
  ['a character beyond the first plane', 'key🔑', { kind: 'odd-character', character: '🔑' }],
  ['half of such a character', 'key\ud83d', { kind: 'odd-character', character: '\ud83d' }],
] as const)('%s is no key', (_, text, problem) => {
  expect(parseApiKey(text)).toEqual(fail(problem));
});

test('the longest is taken, one more is not', () => {
  expect(parseApiKey('k'.repeat(maxApiKeyLength)).ok).toBe(true);
  expect(parseApiKey('k'.repeat(maxApiKeyLength + 1))).toEqual(
    fail({ kind: 'too-long', limit: maxApiKeyLength }),
  );
});

test('a header carries whatever is read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const read = parseApiKey(text);
      if (read.ok)
        expect(new Headers({ 'X-API-Key': read.value }).get('X-API-Key')).toBe(read.value);
    }),
  );
});
