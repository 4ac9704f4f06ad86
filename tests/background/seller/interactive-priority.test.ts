import { expect, test } from 'vitest';

import { createInteractivePriority } from '#background/seller/interactive-priority';

test('whoever waits goes on when no interactive task runs, and not before', async () => {
  const priority = createInteractivePriority();
  await priority.whenIdle();
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const seen: string[] = [];
  const running = [
    priority.run(() => first.promise).then((value) => seen.push(value)),
    priority.run(() => second.promise).catch(() => seen.push('failed')),
  ];
  const waiting = [1, 2].map(() => priority.whenIdle().then(() => seen.push('idle')));
  first.resolve('first');
  await running[0];
  expect(seen).toEqual(['first']);
  second.reject(new Error('It failed.'));
  await Promise.all([...running, ...waiting]);
  expect(seen.toSorted()).toEqual(['failed', 'first', 'idle', 'idle']);
  await priority.whenIdle();
});
