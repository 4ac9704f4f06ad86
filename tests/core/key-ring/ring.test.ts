import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  exportRing,
  readKeyFile,
  changeKey,
  putKey,
  readRing,
  rememberForm,
} from '#core/key-ring/ring';
import type { PinnedKey } from '#core/keys/index';
import { pinnedKeyOf } from '#tests/core/keys/pinned-key';

const key = (digit: string, more: Partial<PinnedKey> = {}): PinnedKey =>
  pinnedKeyOf(digit, { id: `key-${digit}`, label: `Key ${digit}`, ...more });

describe('what lay in storage', () => {
  test('whole keys come back as they were', () => {
    const ring = [
      key('1', { keyId: 'k1', validFrom: 1, validTo: 2, authority: 'https://a.example' }),
      key('2', {
        products: ['orbit-crm'],
        remembered: { license: { encoding: 'jws', input: 'jws' } },
      }),
    ];
    expect(readRing(structuredClone(ring))).toEqual(ring);
  });

  test('a key of which nobody has said what it is for stays so; what cannot be read is a test key', () => {
    const kinds = readRing([key('1', { kind: 'unstated' }), { ...key('2'), kind: 'other' }]);
    expect(kinds.map(({ kind }) => kind)).toEqual(['unstated', 'test']);
  });

  test('names of one product are read as lists of two or more', () => {
    const names = [['Orbit CRM', 'orbit-crm'], ['alone'], 'none', [1, 'one', 'uno']];
    expect(readRing([{ ...key('1'), productNames: names }])[0]?.productNames).toEqual([
      ['Orbit CRM', 'orbit-crm'],
      ['one', 'uno'],
    ]);
    expect(readRing([{ ...key('1'), productNames: 'x' }])[0]).not.toHaveProperty('productNames');
  });

  test('no data makes it throw, and whatever it lets through has a key and a fingerprint', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (one, other) => {
        for (const read of readRing([one, other])) expect(read.raw).toMatch(/^[0-9a-f]{64}$/);
        expect(readRing(one)).toBeInstanceOf(Array);
      }),
    );
  });

  test('a field that cannot be read is left out, and its record stays', () => {
    for (const odd of [
      { keyId: '' },
      { keyId: 7 },
      { validFrom: null },
      { authority: null },
      { authority: '' },
      { remembered: 'jws' },
      { remembered: null },
    ]) {
      expect(readRing([{ ...key('1'), ...odd }])).toEqual([key('1')]);
    }
    expect(readRing([{ ...key('1'), validTo: -8.64e15 }])).toEqual([
      key('1', { validTo: -8.64e15 }),
    ]);
    expect(readRing([{ ...key('1'), products: ['a', 7, null] }])).toEqual([
      key('1', { products: ['a'] }),
    ]);
  });

  test('a key whose limits cannot be read is left out, so that it is not trusted for more', () => {
    for (const odd of [
      { validFrom: '1' },
      { validTo: 8.64e15 + 2 },
      { validTo: NaN },
      { authority: 7 },
      { products: 'orbit-crm' },
    ]) {
      expect(readRing([{ ...key('1'), ...odd }])).toEqual([]);
    }
  });

  test.each([
    null,
    { encoding: 'jws' },
    { input: 'jws' },
    { encoding: 'xml', input: 'jws' },
    { encoding: 'jws', input: 'xml' },
  ])('a remembered form %j is forgotten, and the other one is not', (form) => {
    const certificate = { encoding: 'pair', input: 'canonical' } as const;
    const record = { ...key('1'), remembered: { license: form, certificate } };
    expect(readRing([record])).toEqual([key('1', { remembered: { certificate } })]);
  });

  test('a key needs its bytes and its fingerprint, whole and in hexadecimal digits', () => {
    for (const odd of [
      { raw: undefined },
      { fingerprint: undefined },
      { raw: 'x'.repeat(64) },
      { raw: `${'1'.repeat(64)}0` },
      { fingerprint: `0${'1'.repeat(64)}` },
      { raw: ['1'.repeat(64)] },
    ]) {
      expect(readRing([{ ...key('1'), ...odd }, key('2')])).toEqual([key('2')]);
    }
    for (const odd of [undefined, null, {}, 'key']) expect(readRing(odd)).toEqual([]);
  });

  test('a key without a name gets its fingerprint as id, and texts end after 200 characters', () => {
    const { raw, fingerprint } = key('1');
    expect(readRing([{ raw, fingerprint, keyId: 'k'.repeat(201) }])).toMatchObject([
      { id: fingerprint, label: '', keyId: 'k'.repeat(200) },
    ]);
  });

  test('a record that does not plainly say so is neither good nor live', () => {
    const { id, raw, fingerprint } = key('1');
    expect(readRing([{ id, raw, fingerprint }])).toMatchObject([{ revoked: true, kind: 'test' }]);
  });
});

describe('a key that comes in again', () => {
  test('stays revoked, whatever the file says', () => {
    const ring = [key('1', { revoked: true })];
    expect(putKey(ring, key('1', { id: 'other', label: 'New' }))).toEqual([
      key('1', { revoked: true, label: 'New' }),
    ]);
  });

  test('keeps how its documents were signed, and brings no such thing along', () => {
    const remembered = { license: { encoding: 'jws', input: 'jws' } } as const;
    expect(putKey([key('1', { remembered })], key('1'))).toEqual([key('1', { remembered })]);
    const [read] = putKey([key('1')], key('1', { label: 'New' }));
    expect(Object.keys(read ?? {})).not.toContain('remembered');
    expect(read).toMatchObject({ revoked: false, label: 'New' });
  });

  test('brings its revocation along', () => {
    expect(putKey([key('1')], key('1', { revoked: true }))).toMatchObject([{ revoked: true }]);
  });

  test('is told by its bytes, not by its name', () => {
    expect(putKey([key('1')], key('2', { id: 'key-1' }))).toHaveLength(2);
  });
});

describe('a key that the policy pins', () => {
  const pinned = key('1', { byPolicy: true, validTo: 5, products: ['orbit-crm'] });

  test('stays as the policy says when it comes in again, and may be revoked', () => {
    expect(putKey([pinned], key('1', { label: 'Mine' }))).toEqual([pinned]);
    expect(putKey([pinned], key('1', { revoked: true }))).toEqual([{ ...pinned, revoked: true }]);
  });

  test('is not changed', () => {
    expect(changeKey([pinned], 'key-1', { kind: 'test', products: undefined })).toEqual([pinned]);
  });
});

test('a change touches one key, and a field set to nothing goes away', () => {
  const ring = [key('1', { validTo: 5 }), key('2')];
  expect(changeKey(ring, 'key-1', { label: 'Old', validTo: undefined })).toEqual([
    key('1', { label: 'Old' }),
    key('2'),
  ]);
});

test('the first form is remembered, a later one does not overwrite it', () => {
  const first = { encoding: 'token', input: 'payload' } as const;
  const once = rememberForm([key('1')], key('1').fingerprint, 'license', first);
  const twice = rememberForm(once, key('1').fingerprint, 'license', {
    encoding: 'jws',
    input: 'jws',
  });
  expect(twice).toEqual([key('1', { remembered: { license: first } })]);
});

test('a form is remembered for its own key and its own kind of document', () => {
  const form = { encoding: 'token', input: 'payload' } as const;
  const ring = [key('1', { remembered: { license: form } }), key('2')];
  expect(rememberForm(ring, key('1').fingerprint, 'certificate', form)).toEqual([
    key('1', { remembered: { license: form, certificate: form } }),
    key('2'),
  ]);
});

describe('a file for colleagues', () => {
  test('holds the keys and nothing of the documents they verified', () => {
    const remembered = { license: { encoding: 'token', input: 'payload' } } as const;
    const file = exportRing([key('1', { remembered })]);
    expect(JSON.stringify(file)).not.toContain('remembered');
    expect(readKeyFile(JSON.parse(JSON.stringify(file)))).toEqual([key('1')]);
  });

  test('may leave out that a key is not revoked; what cannot be read of it means revoked', () => {
    const { revoked: _, ...kept } = key('1');
    const read = (record: unknown) =>
      readKeyFile({ format: 'counterfoil-keys', version: 1, keys: [record] });
    expect(read(kept)).toEqual([key('1')]);
    for (const revoked of ['no', 0, null])
      expect(read({ ...kept, revoked })).toEqual([key('1', { revoked: true })]);
    for (const record of [null, 'key', 7]) expect(read(record)).toEqual([]);
  });

  test('another file is none', () => {
    expect(readKeyFile({ format: 'counterfoil-settings', version: 1, keys: [] })).toBeUndefined();
    expect(readKeyFile({ format: 'counterfoil-keys', version: 2, keys: [] })).toBeUndefined();
    expect(readKeyFile({ format: 'counterfoil-keys', version: 1 })).toBeUndefined();
    expect(readKeyFile(undefined)).toBeUndefined();
    expect(readKeyFile(null)).toBeUndefined();
  });

  test('is read to its thousandth key', () => {
    const keys = Array.from({ length: 1001 }, () => key('1'));
    expect(readKeyFile({ format: 'counterfoil-keys', version: 1, keys })).toHaveLength(1000);
  });
});

describe('a link to another key of the same authority', () => {
  const fingerprint = 'ab'.repeat(32);

  test('is kept, exported and taken away again', () => {
    const ring = changeKey([key('1')], 'key-1', { sameAuthorityAs: fingerprint });
    expect(readRing(structuredClone(ring))).toEqual([key('1', { sameAuthorityAs: fingerprint })]);
    expect(readKeyFile(structuredClone(exportRing(ring)))).toEqual(ring);
    expect(changeKey(ring, 'key-1', { sameAuthorityAs: undefined })).toEqual([key('1')]);
  });

  test('is left out where it is no fingerprint', () => {
    for (const odd of ['', 'AB'.repeat(32), 'key-2', 7, null]) {
      expect(readRing([{ ...key('1'), sameAuthorityAs: odd }])).toEqual([key('1')]);
    }
  });
});
