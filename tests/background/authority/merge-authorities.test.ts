import { expect, test } from 'vitest';

import type { StoredAuthority } from '#adapters/storage/authority-store';
import { mergeAuthorities } from '#background/authority/merge-authorities';
import type { LicenseAuthority } from '#core/authority/authority';

const shared = {
  id: 'one',
  name: 'Main',
  address: 'https://licenses.test',
  kind: 'test' as LicenseAuthority['kind'],
  products: ['aurora'],
};
const main: StoredAuthority = { ...shared, controlToken: 'token' };
const merge = (...imported: readonly (typeof shared)[]) =>
  mergeAuthorities([main], imported, () => 'new');

test('an authority of the same id or name at the same address takes name and products, and keeps its token', () => {
  for (const one of [
    { ...shared, name: 'Renamed' },
    { ...shared, name: 'Renamed', products: ['borealis'] },
    { ...shared, id: 'two', products: ['borealis', 'aurora'] },
  ]) {
    const { list, kindsKept } = merge(one);
    expect(list).toEqual([{ ...one, id: 'one', controlToken: 'token' }]);
    expect(kindsKept).toBe(0);
  }
});

test('one without a token has none afterwards', () => {
  const { list } = mergeAuthorities([shared], [{ ...shared, name: 'Renamed' }], () => 'new');
  expect(list[0]).not.toHaveProperty('controlToken');
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

test('one that was deleted is there again', () => {
  const deleted = { ...main, deletedUntil: 5 };
  const { list } = mergeAuthorities([deleted], [shared], () => 'new');
  expect(list).toEqual([main]);
});
