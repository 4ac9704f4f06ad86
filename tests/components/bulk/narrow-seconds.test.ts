import { expect, test } from 'vitest';

import { narrowSecondsIn } from '#components/bulk/narrow-seconds';

test('seconds are counted in few letters, in languages whose own sign for them is longer too', () => {
  const seconds = (language: string): string =>
    narrowSecondsIn(language)(18).replaceAll(/\s/gu, ' ');
  expect(['en', 'de', 'vi', 'tr', 'ja'].map(seconds)).toEqual([
    '18s',
    '18 s',
    '18 s',
    '18sn',
    '18s',
  ]);
});
