import { expect, test } from 'vitest';

import { type LicenseAuthority, matchAuthority } from '#core/authority/authority';

const authority: LicenseAuthority = {
  id: 'a',
  name: 'Main',
  address: 'https://licenses.test/v2',
  kind: 'live',
  products: ['orbit-crm'],
};

test('a license is asked about where its key, its kind and its product fit', () => {
  expect(matchAuthority(authority, { kind: 'live' }, 'orbit-crm')).toBe('fits');
  const tied = { kind: 'live', authority: 'https://licenses.test' } as const;
  expect(matchAuthority(authority, tied, 'orbit-crm')).toBe('fits');
  expect(matchAuthority({ ...authority, products: [] }, tied, 'anything')).toBe('fits');
});

test('a license of another kind, authority or product is not', () => {
  expect(matchAuthority(authority, { kind: 'test' }, 'orbit-crm')).toBe('other-kind');
  expect(matchAuthority({ ...authority, kind: 'test' }, { kind: 'live' }, 'orbit-crm')).toBe(
    'other-kind',
  );
  // Nobody has said whether it is real.
  expect(matchAuthority({ ...authority, kind: 'test' }, { kind: 'unstated' }, 'orbit-crm')).toBe(
    'other-kind',
  );
  expect(matchAuthority(authority, { kind: 'unstated' }, 'orbit-crm')).toBe('fits');
  const tied = { kind: 'live', authority: 'https://others.test' } as const;
  expect(matchAuthority(authority, tied, 'orbit-crm')).toBe('other-authority');
  expect(matchAuthority(authority, { kind: 'live' }, 'lunar-cms')).toBe('other-product');
});
