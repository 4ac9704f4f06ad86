import { expect, it, test } from 'vitest';

import type { CheckReport } from '#core/check/index';
import { omitUndefined } from '#core/result';
import type { Purchase } from '#core/marketplaces/index';
import { type ChipFace, chipFaceOf, isAnswer } from '#core/chips/chip-face';

const now = Date.UTC(2026, 4, 1);
const report = (outcome: CheckReport['outcome']): CheckReport => ({
  connectionId: 'c',
  code: 'x',
  checkedAt: now,
  cached: false,
  outcome,
});
/** Only its support counts for a chip. */
const bought = (supportedUntil?: number): CheckReport => {
  const purchase = omitUndefined({ supportedUntil }) as Purchase;
  return report({ ok: true, value: { kind: 'purchase', purchase } });
};
const notFound = report({
  ok: true,
  value: { kind: 'not-found', msg: 'Invalid purchase code', key: 'good', proven: true },
});
const offline = report({ ok: false, fault: { kind: 'offline' } });
const locked = report({ ok: false, fault: { kind: 'locked' } });

it.each([
  [[bought(now + 1)], 'supported'],
  [[bought(now)], 'lapsed'],
  [[bought()], 'no-support'],
  [[notFound], 'not-found'],
  [[notFound, bought(now + 1)], 'supported'],
  [[notFound, offline], 'failed'],
  [[offline, notFound], 'failed'],
  [[locked, offline], 'locked'],
  [[], 'failed'],
] as const)('%# shows one face', (reports, face) => {
  expect(chipFaceOf(reports, now)).toBe(face);
});

it('warns of a genuine code for another item than the expected one, whatever its support', () => {
  const of = (id: number): CheckReport => {
    const purchase = { item: { id }, supportedUntil: now + 1 } as Purchase;
    return report({ ok: true, value: { kind: 'purchase', purchase } });
  };
  const expected = { itemId: 1, name: 'Anchor' };
  expect(chipFaceOf([of(1)], now, expected)).toBe('supported');
  expect(chipFaceOf([of(2)], now, expected)).toBe('other-item');
  expect(chipFaceOf([of(2), notFound], now, expected)).toBe('other-item');
  expect(chipFaceOf([of(1)], now, { ...expected, connectionId: 'c' })).toBe('supported');
  expect(chipFaceOf([of(1)], now, { ...expected, connectionId: 'd' })).toBe('other-item');
  expect(chipFaceOf([notFound], now, expected)).toBe('not-found');
  expect(chipFaceOf([offline], now, expected)).toBe('failed');
});

test('a face is an answer, or the lack of one', () => {
  const answers = {
    ask: false,
    asking: false,
    supported: true,
    lapsed: true,
    'no-support': true,
    untold: true,
    test: true,
    refunded: true,
    'charged-back': true,
    disputed: true,
    disabled: true,
    expired: true,
    ended: true,
    'not-found': true,
    'other-item': true,
    locked: false,
    failed: false,
  } satisfies Record<ChipFace, boolean>;
  for (const [face, isOne] of Object.entries(answers) as [ChipFace, boolean][])
    expect([face, isAnswer(face)]).toEqual([face, isOne]);
});
