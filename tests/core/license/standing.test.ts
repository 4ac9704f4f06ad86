import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  type LastContact,
  nextTransition,
  type Standing,
  standingAt,
} from '#core/license/standing';
import { trustedMoment } from '#core/time/index';

const NEXT = Date.UTC(2026, 10, 6);
const GRACE = Date.UTC(2026, 11, 4);
const certificate = { nextValidationAt: NEXT, graceUntil: GRACE };
const contact = (outcome: LastContact['outcome'], at = NEXT): LastContact => ({ at, outcome });

type Row = readonly [string, number, LastContact | undefined, Standing];

const around = (
  trigger: string,
  at: number,
  last: LastContact | undefined,
  before: Standing,
  after: Standing,
): Row[] => [
  [`${trigger}, -1 ms`, at - 1, last, before],
  [`${trigger}, 0 ms`, at, last, after],
  [`${trigger}, +1 ms`, at + 1, last, after],
];

describe("the spec's table", () => {
  it('not activated: without a certificate nothing else matters', () => {
    for (const last of [
      undefined,
      contact('validated'),
      contact('unreachable'),
      contact('refused'),
    ]) {
      for (const now of [0, NEXT, GRACE]) {
        expect(standingAt({ now }, undefined, last)).toBe('not-activated');
      }
    }
  });

  it.each<Row>([
    ...around(
      'activated, next_validation_at comes',
      NEXT,
      undefined,
      'activated',
      'validation-due',
    ),
    ...around('nobody asked, grace_until comes', GRACE, undefined, 'validation-due', 'denied'),
    ...around(
      'the authority was unavailable, grace_until comes',
      GRACE,
      contact('unreachable'),
      'grace',
      'denied',
    ),
    ...around(
      'unavailable at the very moment it is due',
      NEXT,
      contact('unreachable'),
      'activated',
      'grace',
    ),
    ...around(
      'an earlier outage opens no grace',
      NEXT,
      contact('unreachable', NEXT - 1),
      'activated',
      'validation-due',
    ),
    ...around('refused, whatever the time', NEXT, contact('refused'), 'denied', 'denied'),
    ...around(
      'validated, but no new certificate kept',
      NEXT,
      contact('validated'),
      'activated',
      'validation-due',
    ),
  ])('%s', (_, now, last, standing) => {
    expect(standingAt({ now }, certificate, last)).toBe(standing);
  });

  it('denied, then validated: the new certificate counts', () => {
    const fresh = { nextValidationAt: GRACE + 10, graceUntil: GRACE + 20 };
    expect(standingAt({ now: GRACE + 1 }, fresh, contact('validated', GRACE + 1))).toBe(
      'activated',
    );
  });

  it('has no validation due where both deadlines are one', () => {
    const one = { nextValidationAt: NEXT, graceUntil: NEXT };
    expect(standingAt({ now: NEXT - 1 }, one, undefined)).toBe('activated');
    expect(standingAt({ now: NEXT }, one, contact('unreachable'))).toBe('denied');
    expect(nextTransition('activated', one)).toEqual({ to: 'denied', at: NEXT });
  });
});

describe('a clock that was turned back', () => {
  it('is believed at five minutes and not a millisecond further', () => {
    const seen = NEXT + 1000;
    expect(trustedMoment({ now: seen - 300_000, latestSeen: seen })).toEqual({
      moment: seen - 300_000,
      turnedBack: false,
    });
    expect(trustedMoment({ now: seen - 300_001, latestSeen: seen })).toEqual({
      moment: seen,
      turnedBack: true,
    });
    expect(trustedMoment({ now: 5 })).toEqual({ moment: 5, turnedBack: false });
  });

  it('earns no grace', () => {
    const clock = { now: NEXT, latestSeen: NEXT + 300_001 };
    expect(standingAt(clock, certificate, contact('unreachable'))).toBe('validation-due');
    expect(standingAt({ now: NEXT, latestSeen: GRACE }, certificate, undefined)).toBe('denied');
  });
});

describe('what comes next', () => {
  it.each<readonly [Standing, Standing, number]>([
    ['activated', 'validation-due', NEXT],
    ['validation-due', 'denied', GRACE],
    ['grace', 'denied', GRACE],
  ])('%s', (standing, to, at) => {
    expect(nextTransition(standing, certificate)).toEqual({ to, at });
  });

  it('is nothing once denied or before activation', () => {
    expect(nextTransition('denied', certificate)).toBeUndefined();
    expect(nextTransition('not-activated', undefined)).toBeUndefined();
  });

  it('is what standing then becomes, and does not become before', () => {
    const moment = fc.integer({ min: NEXT - 100, max: GRACE + 100 });
    const last = fc.option(
      fc.record({
        at: fc.integer({ min: NEXT - 100, max: GRACE }),
        outcome: fc.constantFrom('validated', 'unreachable', 'refused'),
      }),
      { nil: undefined },
    );
    fc.assert(
      fc.property(moment, last, (now, contacted) => {
        const standing = standingAt({ now }, certificate, contacted);
        const next = nextTransition(standing, certificate);
        if (next === undefined) {
          expect(standingAt({ now: now + 1e12 }, certificate, contacted)).toBe(standing);
          return;
        }
        expect(standingAt({ now: next.at - 1 }, certificate, contacted)).toBe(standing);
        expect(standingAt({ now: next.at }, certificate, contacted)).not.toBe(standing);
      }),
    );
  });
});
