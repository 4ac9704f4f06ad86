import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { pausedUntil } from '#core/installation/pacing';

const day = 86_400_000;
const deadlines = { nextValidationAt: 7 * day, graceUntil: 21 * day };
const id = '80000000-0000-4000-8000-000000000000';

const mayAsk = (...known: Parameters<typeof pausedUntil>): boolean =>
  pausedUntil(...known) === undefined;

describe('the pause between two requests', () => {
  it('is none when nothing failed, and when the clock was set back', () => {
    expect(mayAsk(undefined, deadlines, id, 0)).toBe(true);
    expect(mayAsk({ askedAt: 5, failures: 0 }, deadlines, id, 5)).toBe(true);
    expect(mayAsk({ askedAt: 5000, failures: 9 }, deadlines, id, 4999)).toBe(true);
  });

  it('tells when it ends', () => {
    const wished = { askedAt: 0, failures: 1, notBefore: 600_000 };
    expect(pausedUntil(wished, deadlines, id, 1)).toBe(600_000);
  });

  it.each([
    [1, 30_000],
    [2, 60_000],
    [5, 480_000],
    [8, 3_600_000],
    [5000, 3_600_000],
  ])('waits after %i failures about %i ms', (failures, pause) => {
    const at = (waited: number): boolean => mayAsk({ askedAt: 0, failures }, deadlines, id, waited);
    expect(at(pause * 0.99)).toBe(false);
    expect(at(pause * 1.01)).toBe(true);
  });

  it('waits as long as the authority wished, an hour at most', () => {
    const wished = { askedAt: 0, failures: 1, notBefore: 600_000 };
    expect(mayAsk(wished, deadlines, id, 599_999)).toBe(false);
    expect(mayAsk(wished, deadlines, id, 600_000)).toBe(true);
    expect(mayAsk({ ...wished, notBefore: 99 * day }, deadlines, id, 3_600_000)).toBe(true);
  });

  it.each([
    ['00', 22_500],
    ['ff', 37_500],
  ])('differs by a quarter either way: an id that begins with %s waits %i ms', (begin, pause) => {
    const own = `${begin}${id.slice(2)}`;
    const at = (waited: number): boolean =>
      mayAsk({ askedAt: 1000, failures: 1 }, deadlines, own, 1000 + waited);
    expect([at(pause - 1), at(pause)]).toEqual([false, true]);
  });

  it('waits no more than an eighth of the grace period, and a second at least', () => {
    const begin = `00${id.slice(2)}`;
    const at = (graceMs: number, waited: number): boolean =>
      mayAsk(
        { askedAt: 0, failures: 9 },
        { nextValidationAt: 5000, graceUntil: 5000 + graceMs },
        begin,
        waited,
      );
    expect([at(80_000, 7499), at(80_000, 7500)]).toEqual([false, true]);
    expect([at(0, 749), at(0, 750)]).toEqual([false, true]);
  });

  it('counts the authority’s wish from the moment it was asked', () => {
    const wished = { askedAt: 10_000_000, failures: 1, notBefore: 10_600_000 };
    expect(mayAsk(wished, deadlines, id, 10_599_999)).toBe(false);
    expect(mayAsk(wished, deadlines, id, 10_600_000)).toBe(true);
    const far = { ...wished, notBefore: 99 * day };
    expect(mayAsk(far, deadlines, id, 13_599_999)).toBe(false);
    expect(mayAsk(far, deadlines, id, 13_600_000)).toBe(true);
  });

  it('never waits beyond an hour and a quarter, for any installation', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(), (installationId, failures) => {
        const pacing = { askedAt: 0, failures };
        expect(mayAsk(pacing, deadlines, installationId, 1.25 * 3_600_000)).toBe(true);
      }),
    );
  });
});
