import { describe, expect, test } from 'vitest';

import type { CheckReport, DatedAnswer } from '#core/check/index';
import { bestFirst, lastKnownOf, verdictOf } from '#core/verdict/verdict';
import { fail } from '#core/result';
import type { Purchase } from '#core/marketplaces/index';
import {
  day,
  faulty,
  genuine,
  notFound,
  now,
  purchase,
  unsupported,
} from '#tests/stores/check/samples';

describe('verdict', () => {
  const until = Date.UTC(2027, 2, 12, 10);
  const purchase = { supportedUntil: until } as Purchase;

  test.each([
    [-1, { kind: 'supported', until, remaining: 1 }],
    [0, { kind: 'lapsed', until, past: 0 }],
    [1, { kind: 'lapsed', until, past: 1 }],
  ])('%i ms from the end of support', (offset, verdict) => {
    expect(verdictOf(purchase, until + offset)).toEqual(verdict);
  });

  test('a purchase without supported_until has no support, at any time', () => {
    for (const now of [0, until, Number.MAX_SAFE_INTEGER]) {
      expect(verdictOf({}, now)).toEqual({ kind: 'no-support' });
    }
  });
});

describe('best report', () => {
  const from = (connectionId: string): { code: string; connectionId: string } => ({
    code: 'x',
    connectionId,
  });
  const missing = notFound(from('missing'));
  const offline = faulty(from('offline'), { kind: 'offline' });
  const locked = faulty(from('locked'), { kind: 'locked' });
  const supported = genuine(from('supported'));
  const lapsed = genuine(from('lapsed'), purchase({ supportedUntil: now - day }));
  const withoutSupport = genuine(from('no-support'), unsupported);
  const refunded = genuine(from('refunded'), purchase({ problem: { kind: 'refunded' } }));
  const countsForNow = genuine(
    from('counts-for-now'),
    purchase({ supportedUntil: now + day, problem: { kind: 'expired', from: now + 2 * day } }),
  );

  test.each<readonly [string, readonly CheckReport[]]>([
    ['a purchase before a fault and a not-found', [supported, offline, missing]],
    ['a lapsed purchase before a fault', [lapsed, locked]],
    ['a fault before a not-found', [offline, missing]],
    ['locked keys before another fault', [locked, offline]],
    ['of several purchases the one supported longest', [supported, lapsed, withoutSupport]],
    ['a purchase without support before one that does not count', [withoutSupport, refunded]],
    ['one that counts for now before one that lapsed', [countsForNow, lapsed, refunded]],
    ['one that does not count before a fault', [refunded, offline]],
  ])('%s', (_name, ranked) => {
    expect(bestFirst(ranked.toReversed(), now)).toEqual(ranked);
  });

  test('an answer that is still to come stands after a purchase and before a fault', () => {
    const pending = { connectionId: 'pending', outcome: undefined };
    expect(bestFirst([offline, pending, supported], now)).toEqual([supported, pending, offline]);
  });

  test('equals keep the order of the connections', () => {
    const other = { ...missing, connectionId: 'other' };
    expect(bestFirst([missing, other], now)).toEqual([missing, other]);
    const timeout = { ...offline, outcome: fail({ kind: 'timeout', afterMs: 1 } as const) };
    expect(bestFirst([timeout, offline], now)).toEqual([timeout, offline]);
  });
});

describe('what was last known, where a code could not be asked about again', () => {
  const missing = { kind: 'not-found', msg: '', key: 'good', proven: true } as const;
  const failed = (connectionId: string, lastKnown?: DatedAnswer): CheckReport => ({
    ...faulty({ code: 'x', connectionId }, { kind: 'offline' }),
    ...(lastKnown && { lastKnown }),
  });
  const missingAt = (checkedAt: number): DatedAnswer => ({ checkedAt, answer: missing });

  test('is the best of the answers, with its moment', () => {
    const bought = { kind: 'purchase', purchase: unsupported } as const;
    const knew = failed('knew', { checkedAt: now - 9, answer: bought });
    const known = lastKnownOf([failed('missing', missingAt(now - 2)), knew, failed('new')], now);
    expect(known).toMatchObject({ connectionId: 'knew', outcome: { value: bought }, at: now - 9 });
  });

  test('is a not-found only where every connection gave one, as old as the oldest', () => {
    const [one, other] = [failed('one', missingAt(now - 2)), failed('other', missingAt(now - 9))];
    expect(lastKnownOf([one], now)?.at).toBe(now - 2);
    expect(lastKnownOf([one, other], now)?.at).toBe(now - 9);
    expect(lastKnownOf([notFound({ code: 'x', connectionId: 'c' }), one], now)?.at).toBe(now - 2);
    expect(lastKnownOf([one, failed('silent')], now)).toBeUndefined();
    expect(lastKnownOf([one, { connectionId: 'not asked' }], now)).toBeUndefined();
  });

  test('is nothing where no connection ever answered', () => {
    expect(lastKnownOf([failed('one')], now)).toBeUndefined();
    expect(lastKnownOf([], now)).toBeUndefined();
  });
});
