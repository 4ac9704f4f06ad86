import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { mayAsk } from '#core/installation/retry-pacing';

const day = 86_400_000;
const deadlines = { nextValidationAt: 7 * day, graceUntil: 21 * day };
const id = '80000000-0000-4000-8000-000000000000';

describe('mayAsk', () => {
  it('holds at once when nothing failed, and when the clock was set back', () => {
    expect(mayAsk(undefined, deadlines, id, 0)).toBe(true);
    expect(mayAsk({ askedAt: 5, failures: 0 }, deadlines, id, 5)).toBe(true);
    expect(mayAsk({ askedAt: 5000, failures: 9 }, deadlines, id, 4999)).toBe(true);
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

  it('never waits beyond an hour and a quarter, for any installation', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(), (installationId, failures) => {
        const pacing = { askedAt: 0, failures };
        expect(mayAsk(pacing, deadlines, installationId, 1.25 * 3_600_000)).toBe(true);
      }),
    );
  });
});
