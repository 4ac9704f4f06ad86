import { expect, test } from 'vitest';

import { inlineMarkdown, inlineText } from '#core/text/inline-text';
import { isolated, withoutIsolates } from '#core/text/isolate';

const utc = '2027-03-12 14:05 UTC';

test('an isolated text is between two characters that are taken out again', () => {
  expect(isolated(utc)).toBe(`\u2068${utc}\u2069`);
  expect(withoutIsolates(`until ${isolated(utc)}, ${isolated(utc)}`)).toBe(`until ${utc}, ${utc}`);
});

test('what is made safe to paste holds no isolate', () => {
  for (const made of [inlineText, inlineMarkdown]) expect(made(isolated('today'))).toBe('today');
});
