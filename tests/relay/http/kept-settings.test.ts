import { expect, test } from 'vitest';

import { keepSettings } from '#relay/http/team-routes';
import type { SignedSettings } from '#relay/store/records';

test('the team’s settings are read whole once for each version, however many ask', async () => {
  let stored: SignedSettings | undefined;
  let reads = 0;
  const settings = keepSettings({
    settingsVersion: () => Promise.resolve(stored?.version),
    findSettings: () => {
      reads += 1;
      return Promise.resolve(stored);
    },
  });
  const keys = async (): Promise<readonly (string | undefined)[]> => {
    const all = await Promise.all(Array.from({ length: 20 }, settings));
    return [...new Set(all.map((found) => found?.key))];
  };
  expect([await keys(), reads]).toEqual([[undefined], 0]);
  stored = { version: 1, payload: '{}', signature: 'ab', key: 'first' };
  expect([await keys(), await keys(), reads]).toEqual([['first'], ['first'], 1]);
  stored = { ...stored, version: 2, key: 'second' };
  expect([await keys(), reads]).toEqual([['second'], 2]);
});
