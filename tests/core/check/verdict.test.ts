import fc from 'fast-check';
import { expect, test } from 'vitest';

import { verdictOf } from '#core/check/verdict';
import type { Purchase } from '#core/seller/purchase';

const until = Date.UTC(2027, 2, 12, 10);
const purchase = { supportedUntil: until } as Purchase;

test.each([
  [-1, { kind: 'supported', until, remaining: 1 }],
  [0, { kind: 'lapsed', until, past: 0 }],
  [1, { kind: 'lapsed', until, past: 1 }],
])('%i ms from the end of support', (offset, verdict) => {
  expect(verdictOf(purchase, until + offset)).toEqual(verdict);
});

test('a purchase without supported_until has no support, at any time', () => {
  for (const now of [0, until, Number.MAX_SAFE_INTEGER]) {
    expect(verdictOf({}, now)).toEqual({ kind: 'no-support' });
  }
});

test('time left and time past are never negative', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (now) => {
      const verdict = verdictOf(purchase, now);
      if (verdict.kind === 'supported') expect(verdict.remaining).toBeGreaterThan(0);
      if (verdict.kind === 'lapsed') expect(verdict.past).toBeGreaterThanOrEqual(0);
    }),
  );
});
