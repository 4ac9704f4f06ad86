import fc from 'fast-check';
import { expect, test } from 'vitest';

import { safeUrl } from '#core/marketplaces/wire';
import { anyText } from '#tests/core/text/any-text';

test.each([
  ['https://cdn.test/a.png?x=1#y', 'https://cdn.test/a.png?x=1#y'],
  ['http://cdn.test', 'http://cdn.test/'],
  [' https://cdn.test/ä ', 'https://cdn.test/%C3%A4'],
])('%j is the link %s', (text, link) => {
  expect(safeUrl(text)).toBe(link);
});

test.each([
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'JaVaScRiPt://cdn.test/%0aalert(1)',
  'data:text/html,<script>',
  'vbscript:x',
  'blob:https://cdn.test/1',
  'file:///etc/passwd',
  'ftp://cdn.test/a',
  '//cdn.test/a.png',
  '/a.png',
  'a.png',
  '',
  'https://',
  'https://bank.test@evil.test/',
  'https://user:pass@cdn.test/',
  `https://cdn.test/${'a'.repeat(8192)}`,
])('%.60j is none', (text) => {
  expect(safeUrl(text)).toBeUndefined();
});

test('whatever is a link is http or https', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', 'https://', 'http://a', 'javascript:'),
      anyText,
      (scheme, rest) => {
        expect(safeUrl(scheme + rest) ?? 'https://').toMatch(/^https?:\/\//);
      },
    ),
  );
});
