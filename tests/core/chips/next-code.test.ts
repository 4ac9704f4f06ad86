import { expect, test } from 'vitest';

import { nextCode } from '#core/chips/next-code';

const two = { frameId: 0, count: 2, at: -1 };
const none = { frameId: 4, count: 0, at: -1 };
const one = { frameId: 7, count: 1, at: -1 };

test.each([
  ['the first code of the tab, while none has the focus', [two, one], { frameId: 0, index: 0 }],
  ['the next one in its frame', [{ ...two, at: 0 }, one], { frameId: 0, index: 1 }],
  [
    'the first one of the next frame that has any',
    [{ ...two, at: 1 }, none, one],
    { frameId: 7, index: 0 },
  ],
  ['the first one again after the last', [two, { ...one, at: 0 }], { frameId: 0, index: 0 }],
  ['the only one again', [{ ...one, at: 0 }], { frameId: 7, index: 0 }],
  ['nothing where there is no code', [none], undefined],
])('the step leads to %s', (_, frames, next) => {
  expect(nextCode(frames)).toEqual(next);
});
