import { describe, expect, test, it } from 'vitest';
import type { LicenseAuthority, StoredAuthority } from '#core/authority/index';
import { defaultDialect, type StoredConnection } from '#core/connections/index';
import type { SharedConnection } from '#core/settings/index';
import {
  mergeAuthorities,
  mergeConnections,
  mergeSites,
  privacyChanges,
} from '#core/settings-import/import-settings';
import { defaultHistorySettings } from '#core/preferences/index';

describe('connections', () => {
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

  test('one that takes the name of another, which has a new name in the file, is added beside it', () => {
    const renamed = { ...shared, name: 'Old shop' };
    const fresh = { ...shared, id: 'two' };
    for (const file of [
      [fresh, renamed],
      [renamed, fresh],
    ])
      expect(merge([stored], file).list).toMatchObject([
        { id: 'one', name: 'Old shop' },
        { id: 'two', name: 'Shop' },
      ]);
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
});

describe('authorities', () => {
  const shared = {
    id: 'one',
    name: 'Main',
    address: 'https://licenses.test',
    kind: 'test' as LicenseAuthority['kind'],
    products: ['aurora'],
  };
  const main: StoredAuthority = shared;
  const merge = (...imported: readonly (typeof shared)[]) =>
    mergeAuthorities([main], imported, () => 'new');

  test('an authority of the same id or name at the same address takes name and products', () => {
    for (const one of [
      { ...shared, name: 'Renamed' },
      { ...shared, name: 'Renamed', products: ['borealis'] },
      { ...shared, id: 'two', products: ['borealis', 'aurora'] },
    ]) {
      const { list, kindsKept } = merge(one);
      expect(list).toEqual([{ ...one, id: 'one' }]);
      expect(kindsKept).toBe(0);
    }
  });

  test('one that says the same changes nothing, and one of another kind does not open a live authority', () => {
    expect(merge(shared)).toMatchObject({ kindsKept: 0, changes: { added: [], changed: [] } });
    const live = { ...shared, kind: 'live' } as const;
    expect(merge(live)).toMatchObject({ list: [{ kind: 'test' }], kindsKept: 1 });
    expect(mergeAuthorities([live], [shared], () => 'new')).toMatchObject({
      list: [{ kind: 'live' }],
      kindsKept: 1,
    });
  });

  test('one at another address, or of another id and name, is another authority', () => {
    const elsewhere = { ...shared, address: 'https://other.test' };
    expect(merge(elsewhere).list).toEqual([main, { ...elsewhere, id: 'new' }]);
    const other = { ...shared, id: 'two', name: 'Other' };
    expect(merge(other).list).toEqual([main, other]);
  });

  test('one that takes the name of another, which has a new name in the file, is added beside it', () => {
    const { list } = merge({ ...shared, id: 'two' }, { ...shared, name: 'Old' });
    expect(list).toMatchObject([
      { id: 'one', name: 'Old' },
      { id: 'two', name: 'Main' },
    ]);
  });

  test('one that was deleted is there again', () => {
    const deleted = { ...main, deletedUntil: 5 };
    const { list } = mergeAuthorities([deleted], [shared], () => 'new');
    expect(list).toEqual([main]);
  });
});

describe('help desks', () => {
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

  test('that stand twice in a file are added once, and the list they are merged into stays as it was', () => {
    const present = [other];
    const merged = mergeSites(present, [desk, { ...desk, automatic: false }], new Map());
    expect(merged).toEqual({
      list: [other, { ...desk, automatic: false }],
      changes: { added: [desk.origin], changed: [desk.origin] },
    });
    expect(present).toEqual([other]);
  });
});

const privacy = {
  pictures: true,
  maskCodes: true,
  selectionAtOnce: true,
  history: defaultHistorySettings,
};

it('only what differs is a change, the history’s settings among it', () => {
  const wanted = { ...privacy, pictures: false, history: { ...privacy.history, days: 90 } };
  expect(privacyChanges(privacy, privacy)).toEqual([]);
  expect(privacyChanges(privacy, wanted)).toEqual([
    { setting: 'pictures', value: false },
    { setting: 'days', value: 90 },
  ]);
});

it('what a file does not name changes nothing', () => {
  const { maskCodes, history } = privacy;
  const wanted = { maskCodes: !maskCodes, history };
  expect(privacyChanges(privacy, wanted)).toEqual([{ setting: 'maskCodes', value: false }]);
  expect(privacyChanges(privacy, {})).toEqual([]);
});
