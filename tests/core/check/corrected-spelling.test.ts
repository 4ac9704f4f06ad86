import fc from 'fast-check';
import { expect, test } from 'vitest';

import { correctedSpelling } from '#core/check/corrected-spelling';

const code = '8678c3cd-2a21-4afa-b5d1-0f1b4e2d9c70';

test.each([
  ['without dashes', code.replaceAll('-', ''), code],
  ['in capitals', code.toUpperCase(), code],
  ['in mixed case', '8678C3cd-2a21-4AFA-b5d1-0f1b4e2d9c70', code],
  ['with O for 0', '8678c3cd-2a21-4afa-b5d1-Of1b4e2d9c7o', code],
  ['in other groups', '8678c3cd2a21-4afa-b5d10f1b4e2d9c70', code],
  ['of another form without capitals', 'lic-2024-xyzw', 'LIC-2024-XYZW'],
  ['in the common form', code, undefined],
  ['of another form in capitals', 'LIC-2024-XYZW', undefined],
  ['of another form in mixed case', 'LIC-2024-xyzw', undefined],
  [
    'with a letter that no digit looks like',
    '8678c3cd-2a21-4afa-b5d1-0f1b4e2d9cg0',
    '8678C3CD-2A21-4AFA-B5D1-0F1B4E2D9CG0',
  ],
  ['with spaces around it', ` ${code.toUpperCase()} `, code],
  ['of another form with spaces around it', ' lic-2024-xyzw ', 'LIC-2024-XYZW'],
  ['with a digit too many before it', `0${code}`, `0${code}`.toUpperCase()],
  ['with a digit too many after it', `${code}0`, `${code}0`.toUpperCase()],
  ['of digits alone', '1234567890', undefined],
])('a code %s', (_name, typed, corrected) => {
  expect(correctedSpelling(typed)).toBe(corrected);
});

test('a corrected spelling needs no other correction', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-oA-O-]{8,40}$/), (typed) => {
      const corrected = correctedSpelling(typed);
      fc.pre(corrected !== undefined);
      expect(correctedSpelling(corrected)).toBeUndefined();
    }),
  );
});
