import { describe, expect, test } from 'vitest';

import { changesFrom, formOf } from '#components/verifier/keys/key-form';
import { pinned } from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

const bare = formOf(pinned(makeSigner(1)));
const noon = Date.UTC(2026, 4, 1, 12);

describe('a form that was changed in one field', () => {
  test('takes no limit off a key that it cannot show', () => {
    const limited = formOf(
      pinned(makeSigner(1), { validFrom: noon, validTo: noon, products: ['two words'] }),
    );
    expect(changesFrom({ ...limited, label: ' Main ' }, limited)).toEqual({ label: 'Main' });
    const none = formOf(pinned(makeSigner(1), { products: [] }));
    expect(changesFrom({ ...none, kind: 'test' }, none)).toEqual({ kind: 'test' });
  });

  test('takes away what was emptied', () => {
    const limited = formOf(pinned(makeSigner(1), { validTo: noon, products: ['a'], keyId: 'k' }));
    const emptied = { ...limited, validTo: '', products: ' ', keyId: '' };
    const changes = changesFrom(emptied, limited);
    expect(Object.keys(changes).sort()).toEqual(['keyId', 'products', 'validTo']);
    expect(Object.values(changes)).toEqual([undefined, undefined, undefined]);
  });

  test('reads a line of names for each product, and takes them away with the last line', () => {
    const productNames = 'Aurora Theme = aurora-theme\n\nOne name alone\n a=b = c';
    const named = [
      ['Aurora Theme', 'aurora-theme'],
      ['a', 'b', 'c'],
    ];
    expect(changesFrom({ ...bare, productNames }, bare)).toEqual({ productNames: named });
    const shown = formOf(pinned(makeSigner(1), { productNames: named }));
    expect(shown.productNames).toBe('Aurora Theme = aurora-theme\na = b = c');
    const emptied = changesFrom({ ...shown, productNames: '' }, shown);
    expect(emptied).toEqual({ productNames: undefined });
  });

  test('limits a key to whole days', () => {
    const day = '2026-05-01';
    expect(changesFrom({ ...bare, validFrom: day, validTo: day }, bare)).toEqual({
      validFrom: Date.UTC(2026, 4, 1),
      validTo: Date.UTC(2026, 4, 2) - 1,
    });
  });
});

test.each([
  ['https://licenses.example.com/api/', 'https://licenses.example.com'],
  ['licenses.example.com', 'https://licenses.example.com'],
  ['licenses.example.com:8443', 'https://licenses.example.com:8443'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ['localhost:8787', 'http://localhost:8787'],
  ['https://licenses.example.com/license/v1/check', 'https://licenses.example.com'],
  ['our own one', 'our own one'],
  ['http://licenses.example.com', 'http://licenses.example.com'],
  ['', undefined],
])('the authority %j is kept as %j', (typed, authority) => {
  const shown = { ...bare, authority: 'https://old.example' };
  expect(changesFrom({ ...shown, authority: typed }, shown)).toEqual({ authority });
});
