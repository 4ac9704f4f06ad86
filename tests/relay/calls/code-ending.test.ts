import { expect, test } from 'vitest';

import { lastFour } from '#relay/calls/answer-call';

test.each([
  ['86781236-23d0-4b3c-7dfa-c1c147e0dece', 'dece'],
  ['', ''],
  ['12345678901', ''],
  ['123456789012', '9012'],
  ['\u{1f3ab}'.repeat(11), ''],
  ['\u{1f3ab}'.repeat(12), '\u{1f3ab}'.repeat(4)],
  ['x'.repeat(60_000), 'xxxx'],
  ['0123456789\u{1f3ab}xyz', '\u{1f3ab}xyz'],
  ['0123456789\ud83cxyz', '\ufffdxyz'],
  ['0123456789\udfabxyz', '\ufffdxyz'],
  ['0123456789a\0bc', 'a\ufffdbc'],
  ['0123456789\u001b[2J', '\ufffd[2J'],
  ['0123456789\u009b2Jx', '\ufffd2Jx'],
])('of %j the audit has %j', (code, ending) => {
  expect(lastFour(code)).toBe(ending);
});
