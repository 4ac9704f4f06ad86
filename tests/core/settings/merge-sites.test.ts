import { expect, test } from 'vitest';

import { mergeSites } from '#core/settings/merge-sites';

const desk = { origin: 'https://desk.test', automatic: true };
const other = { origin: 'https://other.test', automatic: false };
const expectedItem = { itemId: 1, name: 'Anchor' };

test('a site takes what the file says of it and keeps the rest; others stay, new ones are added', () => {
  const present = [{ ...desk, expectedItem }, other];
  const added = { origin: 'https://new.test', automatic: false };
  expect(mergeSites(present, [{ ...desk, automatic: false }, added], new Map())).toEqual({
    list: [{ ...desk, automatic: false, expectedItem }, other, added],
    changes: { added: [added.origin], changed: [desk.origin] },
  });
});

test('a site of which the file says nothing else is not changed', () => {
  expect(mergeSites([desk, other], [desk], new Map())).toEqual({
    list: [desk, other],
    changes: { added: [], changed: [] },
  });
});

test('an expected item names the connection as it is stored here', () => {
  const storedIds = new Map([['market', 'own-id']]);
  const item = { connectionId: 'market', ...expectedItem };
  const stored = { ...item, connectionId: 'own-id' };
  expect(mergeSites([], [{ ...desk, expectedItem: item }], storedIds).list).toEqual([
    { ...desk, expectedItem: stored },
  ]);
  const again = mergeSites(
    [{ ...desk, expectedItem: stored }],
    [{ ...desk, expectedItem: item }],
    storedIds,
  );
  expect(again.changes).toEqual({ added: [], changed: [] });
});

test('an expected item of a connection that is nowhere is left out, and the one of the agent stays', () => {
  const gone = { ...desk, expectedItem: { connectionId: 'gone', ...expectedItem } };
  expect(mergeSites([], [gone], new Map([['market', 'market']])).list).toEqual([desk]);
  const own = { ...desk, expectedItem };
  expect(mergeSites([own], [gone], new Map()).list).toEqual([own]);
});
