import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readRetryAfter } from '#core/http/exchange';
import { dayMs } from '#core/time/index';

const now = Date.UTC(2026, 10, 3);

describe('Retry-After', () => {
  it.each([
    ['120', now + 120_000],
    [' 0 ', now],
    [' 120 ', now + 120_000],
    ['Tue, 03 Nov 2026 00:01:00 GMT', now + 60_000],
    ['Mon, 02 Nov 2026 00:00:00 GMT', now],
    ['99999999999999999999', now + dayMs],
    // The moment itself, in seconds.
    [String(now / 1000 + 90), now + 90_000],
    ['-5', undefined],
    ['30.5', undefined],
    ['30, 30', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('%j is %j', (header, moment) => {
    expect(readRetryAfter(header, now)).toBe(moment);
  });

  it('is never in the past and never more than a day ahead', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const moment = readRetryAfter(header, now) ?? now;
        expect(moment).toBeGreaterThanOrEqual(now);
        expect(moment).toBeLessThanOrEqual(now + dayMs);
      }),
    );
  });
});
