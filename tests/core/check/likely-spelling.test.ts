import fc from 'fast-check';
import { expect, test } from 'vitest';

import { likelySpelling } from '#core/check/likely-spelling';

const code = '4e2e8b4d-1250-4afa-b5d1-0f1b4e2d9c70';

test.each([
  ['with l for 1', '4e2e8b4d-l250-4afa-b5d1-0f1b4e2d9c70', code],
  ['with I, Z, S and O', '4E2E8B4D-IZSO-4AFA-B5D1-OF1B4E2D9C7O', code],
  ['without dashes', code.replaceAll('-', ''), code],
  ['in the common form', code, undefined],
  ['with a letter that looks like no digit', '4e2e8b4d-x250-4afa-b5d1-0f1b4e2d9c70', undefined],
  ['that is too short', '4e2e8b4d-l250-4afa-b5d1-0f1b4e2d9c7', undefined],
  ['with spaces around it', ' 4e2e8b4d-l250-4afa-b5d1-0f1b4e2d9c70 ', code],
  ['with a letter before it', 'x4e2e8b4d-l250-4afa-b5d1-0f1b4e2d9c70', undefined],
  ['that is too long', '4e2e8b4d-l250-4afa-b5d1-0f1b4e2d9c700', undefined],
  ['of another form', 'LIC-2026-00071', undefined],
])('a code %s', (_name, typed, likely) => {
  expect(likelySpelling(typed)).toBe(likely);
});

test('a likely spelling is the end of it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-fA-FoOiIlLzZsS]{8}-?[0-9a-foilzs]{24}$/), (typed) => {
      const likely = likelySpelling(typed);
      fc.pre(likely !== undefined);
      expect(likelySpelling(likely)).toBeUndefined();
    }),
  );
});
