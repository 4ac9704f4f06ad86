import { expect, test } from 'vitest';

import {
  type EntryIds,
  noEntries,
  unionOfEntries,
  withoutEntries,
} from '#core/settings-import/entry-ids';

const one: EntryIds = { ...noEntries, connections: ['a', 'b'], templates: ['t'] };
const other: EntryIds = { ...noEntries, connections: ['b', 'c'], sites: ['s'] };

test('two records of lists are combined list by list', () => {
  expect(withoutEntries(one, other)).toEqual({
    ...noEntries,
    connections: ['a'],
    templates: ['t'],
  });
  expect(unionOfEntries(one, other)).toEqual({
    ...noEntries,
    connections: ['a', 'b', 'c'],
    sites: ['s'],
    templates: ['t'],
  });
});
