import { expect, test } from 'vitest';

import { combineEntries, union, without } from '#core/settings/combine-entries';

type Lists = Record<'connections' | 'sites' | 'templates', readonly string[]>;

const one: Lists = { connections: ['a', 'b'], sites: [], templates: ['t'] };
const other: Lists = { connections: ['b', 'c'], sites: ['s'], templates: [] };

test('two records of lists are combined list by list', () => {
  expect(combineEntries(one, other, without)).toEqual({
    connections: ['a'],
    sites: [],
    templates: ['t'],
  });
  expect(combineEntries(one, other, union)).toEqual({
    connections: ['a', 'b', 'c'],
    sites: ['s'],
    templates: ['t'],
  });
});
