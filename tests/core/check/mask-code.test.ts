import fc from 'fast-check';
import { expect, test } from 'vitest';

import { maskCode } from '#core/check/mask-code';

test.each([
  ['8f14e45f-ceea-767f-9575-28c4dd4bb4a1', '8f14••••-••••-••••-••••-••••••••b4a1'],
  ['ABCD1234EFGH5678IJKL', 'ABCD••••••••••••IJKL'],
  ['LIC-77-GHJK-22', 'LI•-••-••••-22'],
  ['12345678', '1••••••8'],
  ['1234', '••••'],
  ['', ''],
])('%s is shown as %s', (code, masked) => {
  expect(maskCode(code)).toBe(masked);
});

test('at least three in five are hidden, and the form stays', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9-]{1,128}$/), (code) => {
      const masked = maskCode(code);
      expect(masked).toHaveLength(code.length);
      expect(masked.replaceAll('•', 'x').replaceAll(/[^-]/g, 'x')).toBe(
        code.replaceAll(/[^-]/g, 'x'),
      );
      const signs = code.replaceAll('-', '').length;
      expect(masked.split('•').length - 1).toBeGreaterThanOrEqual(signs * 0.6);
    }),
  );
});
