import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { momentAtShare, movedBy, shareOf, timelineSpan } from '#components/verifier/timeline';

const day = 24 * 60 * 60 * 1000;
const moments = { issuedAt: 0, nextValidationAt: 14 * day, graceUntil: 30 * day };

test('every moment and the present have room, with a margin after the last', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 253_402_300_799_999 }), { minLength: 4, maxLength: 4 }),
      ([issuedAt = 0, one = 0, other = 0, present = 0]) => {
        const graceUntil = Math.max(one, other);
        const span = timelineSpan(
          { issuedAt, nextValidationAt: Math.min(one, other), graceUntil },
          present,
        );
        for (const moment of [issuedAt, one, other, present]) {
          expect(moment).toBeGreaterThanOrEqual(span.from);
          expect(moment).toBeLessThan(span.to);
          expect(momentAtShare(shareOf(moment, span), span)).toBeCloseTo(moment, -1);
        }
        expect(span.step).toBeGreaterThanOrEqual(1000);
      },
    ),
  );
});

describe('the handle', () => {
  const span = timelineSpan(moments, 3 * day);

  test('moves by steps that people count in, and by ten of them', () => {
    expect(span.step).toBe(6 * 60 * 60 * 1000);
    expect(movedBy('ArrowRight', day, span)).toBe(day + span.step);
    expect(movedBy('ArrowDown', day, span)).toBe(day - span.step);
    expect(movedBy('PageUp', day, span)).toBe(day + span.leap);
    expect(movedBy('PageDown', 5 * day, span)).toBe(5 * day - span.leap);
  });

  test('stops at either end', () => {
    expect(movedBy('Home', day, span)).toBe(span.from);
    expect(movedBy('End', day, span)).toBe(span.to);
    expect(movedBy('ArrowRight', span.to, span)).toBe(span.to);
    expect(movedBy('PageDown', span.from, span)).toBe(span.from);
  });

  test('leaves other keys to the page', () => {
    expect(movedBy('Tab', day, span)).toBeUndefined();
  });
});

test('deadlines of a few seconds still have a line to stand on', () => {
  const span = timelineSpan({ nextValidationAt: 5000, graceUntil: 9000 }, 0);
  expect(span.to - span.from).toBeGreaterThanOrEqual(60_000);
  expect(span.step).toBe(1000);
});
