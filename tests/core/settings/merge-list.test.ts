import { describe, expect, test } from 'vitest';

import { freeId, mergeList } from '#core/settings/merge-list';

interface Desk {
  readonly origin: string;
  readonly auto: boolean;
}

const one = (origin: string, auto = false): Desk => ({ origin, auto });

const merge = (present: readonly Desk[], imported: readonly Desk[]): unknown =>
  mergeList(present, imported, {
    nameOf: ({ origin }) => origin,
    isSame: (entry, { origin }) => entry.origin === origin,
    create: (desk, list) => ({ ...desk, auto: list.length > 1 }),
    change: (before, { auto }) => (before.auto === auto ? undefined : { ...before, auto }),
  });

describe('an imported list', () => {
  test('changes the same entry in its place, adds others at the end, and names both', () => {
    expect(merge([one('a'), one('b')], [one('b', true), one('c')])).toEqual({
      list: [one('a'), one('b', true), one('c', true)],
      changes: { added: ['c'], changed: ['b'] },
    });
  });

  test('changes nothing that is alike', () => {
    expect(merge([one('a')], [one('a')])).toEqual({
      list: [one('a')],
      changes: { added: [], changed: [] },
    });
  });

  test('that names an entry twice adds it once', () => {
    expect(merge([], [one('a'), one('a', true)])).toEqual({
      list: [one('a', true)],
      changes: { added: ['a'], changed: ['a'] },
    });
  });

  test('leaves the list that it was merged into', () => {
    const present = [one('a')];
    merge(present, [one('a', true), one('b')]);
    expect(present).toEqual([one('a')]);
  });
});

test('an id that the list has is replaced by a new one', () => {
  const createId = (): string => 'new';
  expect(freeId('a', [{ id: 'a' }], createId)).toBe('new');
  expect(freeId('b', [{ id: 'a' }], createId)).toBe('b');
});
