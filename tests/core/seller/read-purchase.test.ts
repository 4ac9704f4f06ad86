import { describe, expect, test } from 'vitest';

import { readValidationReply } from '#core/seller/replies';
import type { Purchase } from '#core/seller/purchase';
import {
  askedCode,
  purchaseWire,
  rawReply,
  type Wire,
  withField,
} from '#tests/core/seller/wire-examples';

const day = Date.UTC(2026, 8, 12, 10);

function read(purchase: Wire): Purchase | string {
  const reply = rawReply({ status: 'success', data: { purchase } });
  const result = readValidationReply(reply, askedCode, 0);
  if (!result.ok) return 'path' in result.fault ? result.fault.path : result.fault.kind;
  return result.value.kind === 'purchase' ? result.value.purchase : result.value.kind;
}

const without = (path: string): Purchase | string =>
  read(withField(purchaseWire(), path, undefined));
const having = (path: string, value: unknown): Purchase | string =>
  read(withField(purchaseWire(), path, value));

test('every field of spec section 2, "Purchase"', () => {
  expect(read(purchaseWire())).toEqual({
    purchaseCode: askedCode,
    licenseType: 'Regular',
    price: 29,
    currency: 'USD',
    item: expect.objectContaining({ id: 41 }) as unknown,
    supportedUntil: Date.UTC(2027, 2, 12, 10),
    downloaded: true,
    date: day,
  });
});

describe('presence', () => {
  test.each(['purchase_code', 'license_type', 'item', 'date'])('%s must be there', (field) => {
    expect(without(field)).toBe(`data.purchase.${field}`);
    expect(having(field, null)).toBe(`data.purchase.${field}`);
  });

  test('supported_until is left out when there is no support', () => {
    expect(without('supported_until')).not.toHaveProperty('supportedUntil');
    expect(having('supported_until', null)).not.toHaveProperty('supportedUntil');
  });

  test('unknown fields are passed over', () => {
    expect(having('buyer', { name: 'x' })).toEqual(read(purchaseWire()));
  });
});

describe('types', () => {
  test.each([
    ['purchase_code', true],
    ['purchase_code', ''],
    ['purchase_code', 1e21],
    ['license_type', ['Regular']],
    ['date', '12/09/2026'],
    ['date', '2026-09-12'],
    ['date', 1789207200],
    ['supported_until', ''],
    ['supported_until', false],
    ['supported_until', '0000-00-00 00:00:00'],
    ['supported_until', 'never'],
    ['item', 'Harbour theme'],
    ['item', []],
  ])('%s as %j could mean too much to be read', (field, value) => {
    expect(having(field, value)).toEqual(expect.stringContaining(`data.purchase.${field}`));
  });

  test.each([
    ['price', 'free'],
    ['price', '29,00'],
    ['price', '1,234'],
    ['price', '1e3'],
    ['price', true],
    ['price', {}],
    ['currency', {}],
    ['downloaded', 2],
    ['downloaded', 'yes'],
  ])('%s as %j costs itself alone and is named', (field, value) => {
    expect(having(field, value)).toEqual({ ...(without(field) as Purchase), unreadable: [field] });
  });

  test.each(['price', 'downloaded'])('%s that is empty or absent is left out', (field) => {
    for (const purchase of [without(field), having(field, null), having(field, '')]) {
      expect(purchase).not.toHaveProperty('unreadable');
      expect(purchase).not.toHaveProperty(field);
    }
  });

  test('an odd form in the item costs no verdict', () => {
    expect(having('item', { id: 41, name: 'Harbour theme', tags: 'a, b' })).toMatchObject({
      date: day,
      item: { id: 41, tags: [], unreadable: ['tags'] },
    });
  });

  test.each([
    ['license_type', 'Reguläre Lizenz', 'licenseType', 'Reguläre Lizenz'],
    ['price', '29.00', 'price', 29],
    ['price', '1,234.50', 'price', 1234.5],
    ['price', 0, 'price', 0],
    ['downloaded', 0, 'downloaded', false],
    ['downloaded', 1, 'downloaded', true],
    ['downloaded', '0', 'downloaded', false],
    ['downloaded', '1', 'downloaded', true],
    ['downloaded', 'true', 'downloaded', true],
    ['downloaded', 'false', 'downloaded', false],
    ['date', '2026-09-12T10:00:00.000000Z', 'date', day],
    ['date', '2026-09-12T12:00:00+02:00', 'date', day],
    ['date', '2026-09-12 10:00:00', 'date', day],
  ])('%s as %j is read', (field, value, name, expected) => {
    expect(having(field, value)).toHaveProperty(name, expected);
  });
});
