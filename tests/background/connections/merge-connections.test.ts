import { expect, test } from 'vitest';

import type { StoredConnection } from '#adapters/storage/connection-store';
import { mergeConnections } from '#background/connections/merge-connections';
import { defaultDialect } from '#core/connections/connection';
import type { SharedConnection } from '#core/settings/settings-file';

const relay = 'https://relay.test';
const shared: SharedConnection = {
  id: 'one',
  name: 'Shop',
  baseAddress: `${relay}/c/shop`,
  dialect: { ...defaultDialect, keyPlacement: 'Authorization' },
};
const stored: StoredConnection = { ...shared, revision: 4 };
const merge = (
  present: readonly StoredConnection[],
  imported: readonly SharedConnection[],
  ofRelay?: string,
) =>
  mergeConnections(present, imported, {
    hasKey: () => true,
    createId: () => 'new',
    relay: ofRelay,
  });

test('a connection of the team’s relay goes through it, new or there already', () => {
  const added = merge([], [shared], relay);
  expect(added.list).toEqual([
    { ...shared, revision: 1, throughRelay: true, dialect: { ...shared.dialect, proven: false } },
  ]);
  const changed = merge([stored], [shared], relay);
  expect(changed.list).toMatchObject([{ id: 'one', revision: 5, throughRelay: true }]);
  expect(changed.changedIds).toEqual(['one']);
});

test('an address elsewhere, or in a file that no team signed, goes through no relay', () => {
  for (const origin of [undefined, 'https://other.test']) {
    expect(merge([], [shared], origin).list[0]).not.toHaveProperty('throughRelay');
    const again = merge([stored], [shared], origin);
    expect([again.list, again.changedIds]).toEqual([[stored], []]);
    const renamed = merge([stored], [{ ...shared, name: 'Renamed' }], origin).list[0];
    expect(renamed).toMatchObject({ name: 'Renamed', revision: 5 });
    expect(renamed).not.toHaveProperty('throughRelay');
  }
});

test('a connection through a relay stays one, whatever a file says', () => {
  const through: StoredConnection = { ...stored, throughRelay: true };
  expect(merge([through], [shared])).toMatchObject({ list: [through], changedIds: [] });
  expect(merge([through], [shared], relay)).toMatchObject({ list: [through], changedIds: [] });
  const renamed = merge([through], [{ ...shared, name: 'Renamed' }]);
  expect(renamed.list).toMatchObject([{ name: 'Renamed', throughRelay: true, revision: 5 }]);
});

test('the same name at the same address is the same connection; the same address alone is not', () => {
  const named = merge([stored], [{ ...shared, id: 'two' }]);
  expect(named.list).toEqual([stored]);
  const other = merge([stored], [{ ...shared, id: 'two', name: 'Other' }]);
  expect(other.list.map(({ id }) => id)).toEqual(['one', 'two']);
});

test('each imported connection is known by the id that it is stored under, any other by its own', () => {
  const renamed = { ...shared, id: 'two' };
  const elsewhere = { ...shared, baseAddress: 'https://other.test' };
  const added = { ...shared, id: 'three', name: 'Third' };
  expect(Object.fromEntries(merge([stored], [renamed, added]).storedIds)).toEqual({
    one: 'one',
    two: 'one',
    three: 'three',
  });
  expect(Object.fromEntries(merge([stored], [elsewhere]).storedIds)).toEqual({
    one: 'new',
    new: 'new',
  });
  expect(Object.fromEntries(merge([stored], [shared, elsewhere]).storedIds)).toEqual({
    one: 'one',
    new: 'new',
  });
});
