import { expect, test, vi } from 'vitest';

import { sharedFor } from '#relay/machine/shared';

test('who asks within the time is given the same answer, a failure too, and who asks later a new one', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  let asked = 0;
  const ask = sharedFor(250, async () => {
    asked += 1;
    await Promise.resolve();
    if (asked === 2) throw new Error('gone');
    return asked;
  });
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  now.mockReturnValue(1_249);
  expect(await ask()).toBe(1);
  now.mockReturnValue(1_250);
  for (const _ of [1, 2]) await expect(ask()).rejects.toThrow('gone');
  now.mockReturnValue(1_500);
  expect(await ask()).toBe(3);
  now.mockRestore();
});
