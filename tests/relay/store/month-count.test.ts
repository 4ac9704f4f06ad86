import { expect, test } from 'vitest';

import { shareCounts } from '#relay/store/month-count';

test('months are counted one at a time, and once for all who ask for the same at once', async () => {
  const counted: string[] = [];
  let atOnce = 0;
  const count = shareCounts(async (month) => {
    counted.push(month);
    atOnce += 1;
    expect(atOnce).toBe(1);
    await new Promise(setImmediate);
    atOnce -= 1;
    if (month === '2026-03') throw new Error('broken');
    return [];
  });
  const asked = ['2026-01', '2026-02', '2026-01', '2026-03', '2026-02'].map(count);
  const settled = await Promise.allSettled(asked);
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(counted).toEqual(['2026-01', '2026-02', '2026-03']);
  await count('2026-01');
  expect(counted).toHaveLength(4);
});
