import { expect, test } from 'vitest';

import {
  createPendingTexts,
  createWaitingText,
  type PendingText,
} from '#adapters/storage/handoffs';
import { createMemoryArea } from '#tests/adapters/memory-area';

test.each([
  ['is shown', 59_999, true],
  ['is gone', 60_000, false],
])('a text that waits for its view %s after %i ms', async (_what, age, isShown) => {
  const stored = new Map<string, unknown>();
  const texts = createPendingTexts({
    get: (name) => Promise.resolve({ [name]: stored.get(name) }),
    set: (items) => {
      for (const [name, value] of Object.entries(items)) stored.set(name, value);
      return Promise.resolve();
    },
    remove: (name) => {
      stored.delete(name);
      return Promise.resolve();
    },
    onChanged: { addListener: () => undefined },
  });
  const left: PendingText = { text: 'x', at: 1000, target: { tabId: 1 } };
  await texts.put(left);
  expect(await texts.take({ tabId: 1 }, 1000 + age)).toEqual(isShown ? left : undefined);
  expect(stored.size).toBe(0);
});

test.each([
  ['is checked', 599_999, 'x'],
  ['is gone', 600_000, undefined],
])(
  'a text that waits for a first connection %s after %i ms, and once',
  async (_what, age, taken) => {
    const area = createMemoryArea();
    const waiting = createWaitingText(area);
    await waiting.put('x', 1000);
    expect(await waiting.take(1000 + age)).toBe(taken);
    expect(area.dump()).toBe('[]');
  },
);
