import { describe, expect, expectTypeOf, it, test } from 'vitest';

import {
  isLocked,
  isNotFound,
  notFoundReasons,
  purchaseIn,
  summariseAnswer,
} from '#core/check/check-report';
import type { PurchaseSummary } from '#core/check/index';
import type { Purchase } from '#core/marketplaces/index';
import { fail, succeed } from '#core/result';
import { purchase } from '#tests/stores/check/samples';

test('each member of a purchase is stored, or left out on purpose', () => {
  expectTypeOf<Exclude<keyof Purchase, keyof PurchaseSummary>>().toEqualTypeOf<
    'purchaseCode' | 'buyer' | 'unreadable'
  >();
});

describe('outcome', () => {
  const purchase = { item: 'Ledgerline' };
  const hit = succeed({ kind: 'purchase' as const, purchase });
  const missing = succeed({
    kind: 'not-found' as const,
    msg: 'No such code',
    key: 'good' as const,
    proven: true,
  });
  const locked = fail({ kind: 'locked' as const });
  const offline = fail({ kind: 'offline' as const });

  describe('an outcome', () => {
    it.each([
      ['of a purchase', hit, { purchase, isMissing: false, locked: false }],
      [
        'that does not know the code',
        missing,
        { purchase: undefined, isMissing: true, locked: false },
      ],
      ['under a lock', locked, { purchase: undefined, isMissing: false, locked: true }],
      ['of another fault', offline, { purchase: undefined, isMissing: false, locked: false }],
      ['still to come', undefined, { purchase: undefined, isMissing: false, locked: false }],
    ])('%s is told from the others', (_, outcome, expected) => {
      expect({
        purchase: purchaseIn(outcome),
        isMissing: isNotFound(outcome),
        locked: isLocked(outcome),
      }).toEqual(expected);
    });
  });
});

describe('not found', () => {
  const always = ['mistyped', 'refunded', 'other-seller'];

  test.each([
    ['good', true, always],
    ['unknown', true, ['key-unknown', ...always]],
    ['good', false, ['never-proven', ...always]],
    ['unknown', false, ['never-proven', 'key-unknown', ...always]],
  ] as const)('with a key that is %s and proven %s', (key, proven, reasons) => {
    expect(notFoundReasons({ kind: 'not-found', msg: '', key, proven })).toEqual(reasons);
  });
});

test('not found at a marketplace that forgets closed accounts may mean such a one', () => {
  const answer = { kind: 'not-found', msg: '', key: 'good', proven: true } as const;
  expect(notFoundReasons(answer, 'account-closed')).toEqual([
    'mistyped',
    'refunded',
    'account-closed',
    'other-seller',
  ]);
});

describe('answer summary', () => {
  test('of a purchase neither the code nor the texts and pictures of its item are stored', () => {
    const bought = purchase({ purchaseCode: 'A-1', unreadable: ['tags'] });
    const { id, name, version } = bought.item;
    const summary = summariseAnswer({ kind: 'purchase', purchase: bought });
    expect(summary).toMatchObject({
      kind: 'purchase',
      purchase: { supportedUntil: bought.supportedUntil, date: bought.date },
    });
    expect(summary).toHaveProperty('purchase.item', { id, name, version });
    expect(summary).not.toHaveProperty('purchase.purchaseCode');
    expect(summary).not.toHaveProperty('purchase.unreadable');
  });

  test('a member of a purchase that nobody has named as stored is not stored', () => {
    const bought = purchase({ buyer: { name: 'Jo Marlin' } });
    const { item, ...stored } = bought;
    const grown = { ...bought, item: { ...item, owner: 'Jo' }, buyerCountry: 'NZ' };
    const summary = summariseAnswer({ kind: 'purchase', purchase: grown });
    expect(JSON.stringify(summary)).not.toMatch(/buyer|owner|Jo|NZ/u);
    expect(Object.keys(stored)).toContain('buyer');
  });

  test('a not-found is stored as it is', () => {
    const missing = { kind: 'not-found', msg: 'no', key: 'good', proven: true } as const;
    expect(summariseAnswer(missing)).toEqual(missing);
  });
});
