import { expect, it } from 'vitest';

import { factsOf } from '#core/license/inspect/checks';

it('the facts of a fault are what it says beside its kind, lists joined and records spread', () => {
  const fault = {
    kind: 'x',
    text: 'a',
    number: 0,
    list: ['b', 'c'],
    empty: [],
    record: { d: 1, e: 'f' },
    nothing: null,
    missing: undefined,
    yes: true,
  };
  expect(factsOf(fault)).toEqual({ text: 'a', number: 0, list: 'b, c', empty: '', d: 1, e: 'f' });
  expect(Object.keys(factsOf({ kind: 'x' }))).toEqual([]);
});
