import { expect, test } from 'vitest';

import type { Standing } from '#core/license/standing';
import { pathOfTime, transitionOf, transitions } from '#core/rehearsal/transitions';

// Spec section 3, row by row.
test.each<[Standing, Parameters<typeof transitionOf>[2], Standing, string]>([
  ['not-activated', 'granted', 'activated', 'activate'],
  ['not-activated', 'no-answer', 'not-activated', 'activate-fails'],
  ['not-activated', 'refused', 'not-activated', 'activate-fails'],
  ['activated', 'used', 'activated', 'use'],
  ['activated', 'time', 'validation-due', 'due'],
  ['validation-due', 'granted', 'activated', 'validate'],
  ['validation-due', 'no-answer', 'grace', 'unreached'],
  ['grace', 'time', 'denied', 'grace-ends'],
  ['denied', 'granted', 'activated', 'return'],
])('%s, %s, %s is an arrow of the diagram', (from, cause, to, id) => {
  expect(transitionOf(from, to, cause)).toBe(id);
});

test('what changes nothing that is drawn takes no arrow', () => {
  expect(transitionOf('grace', 'grace', 'no-answer')).toBeUndefined();
  expect(transitionOf('denied', 'denied', 'refused')).toBeUndefined();
  expect(transitionOf('activated', 'not-activated', 'time')).toBeUndefined();
});

test('a long step of time passes through the state between', () => {
  expect(pathOfTime('activated', 'denied')).toEqual(['due', 'overslept']);
  expect(pathOfTime('activated', 'validation-due')).toEqual(['due']);
  expect(pathOfTime('grace', 'validation-due')).toEqual(['turned-back']);
  expect(pathOfTime('activated', 'activated')).toEqual([]);
});

test('every arrow has a name of its own, and all rows of the table are there', () => {
  expect(new Set(transitions.map(({ id }) => id)).size).toBe(transitions.length);
  expect(transitions.filter(({ inTable }) => inTable)).toHaveLength(8);
});
