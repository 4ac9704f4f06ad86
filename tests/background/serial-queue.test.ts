import { expect, test } from 'vitest';

import { createSerialQueue } from '#background/serial-queue';

test('tasks of one name run one after the other, even when one fails', async () => {
  const runExclusive = createSerialQueue();
  const seen: string[] = [];
  const gate = Promise.withResolvers<undefined>();
  const first = runExclusive('a', async () => {
    seen.push('first begins');
    await gate.promise;
    seen.push('first ends');
    throw new Error('It failed.');
  });
  const second = runExclusive('a', () => {
    seen.push('second');
    return Promise.resolve(2);
  });
  expect(await runExclusive('b', () => Promise.resolve('beside it'))).toBe('beside it');
  expect(seen).toEqual(['first begins']);
  gate.resolve(undefined);
  await expect(first).rejects.toThrow('It failed.');
  expect(await second).toBe(2);
  expect(seen).toEqual(['first begins', 'first ends', 'second']);
  expect(await runExclusive('a', () => Promise.resolve('later'))).toBe('later');
});
