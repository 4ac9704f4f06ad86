import { expect, test } from 'vitest';

import { afterCall, closedBreaker, decidePassage } from '#relay/rules/breaker';

const now = 1_000_000;
const failing = (times: number): typeof closedBreaker =>
  Array.from({ length: times }).reduce<typeof closedBreaker>(
    (state) => afterCall(state, 'down', now),
    closedBreaker,
  );

test('calls pass until five have failed in a row', () => {
  expect(decidePassage(failing(4), now).passes).toBe(true);
  expect(decidePassage(failing(5), now)).toEqual({ passes: false, at: now + 10_000 });
  expect(afterCall(failing(4), 'up', now)).toEqual(closedBreaker);
});

test('after ten seconds one call at a time tries', () => {
  const later = now + 10_000;
  const probe = decidePassage(failing(5), later);
  if (!probe.passes) throw new Error('A probe must pass.');
  expect(decidePassage(probe.state, later + 1)).toEqual({ passes: false, at: later + 15_000 });
  expect(decidePassage(probe.state, later + 15_000).passes).toBe(true);
  expect(decidePassage(afterCall(probe.state, 'down', later), later + 1)).toEqual({
    passes: false,
    at: later + 10_000,
  });
});
