import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readPreferences, themes } from '#stores/settings/preferences';

test('whatever was kept, preferences come out of it', () => {
  fc.assert(
    fc.property(fc.anything(), (cached) => {
      const { theme, pictures, maskCodes, connection } = readPreferences(cached);
      expect(themes).toContain(theme);
      expect([typeof pictures, typeof maskCodes, typeof connection]).toEqual([
        'boolean',
        'boolean',
        'string',
      ]);
    }),
  );
});

test('what was chosen is kept', () => {
  const chosen = { theme: 'dark', pictures: false, maskCodes: false, connection: 'all' } as const;
  expect(readPreferences(chosen)).toMatchObject(chosen);
});

test('untouched, pictures are shown and codes are masked', () => {
  expect(readPreferences(undefined)).toMatchObject({ pictures: true, maskCodes: true });
});
