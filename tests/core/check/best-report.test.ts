import { expect, test } from 'vitest';

import { bestFirst } from '#core/check/best-report';
import type { CheckReport } from '#core/check/check-report';
import { fail } from '#core/result';
import {
  day,
  faulty,
  genuine,
  notFound,
  now,
  purchase,
  unsupported,
} from '#tests/stores/check/samples';

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

test.each<readonly [string, readonly CheckReport[]]>([
  ['a purchase before a fault and a not-found', [supported, offline, missing]],
  ['a lapsed purchase before a fault', [lapsed, locked]],
  ['a fault before a not-found', [offline, missing]],
  ['locked keys before another fault', [locked, offline]],
  ['of several purchases the one supported longest', [supported, lapsed, withoutSupport]],
])('%s', (_name, ranked) => {
  expect(bestFirst(ranked.toReversed())).toEqual(ranked);
});

test('an answer that is still to come stands after a purchase and before a fault', () => {
  const pending = { connectionId: 'pending', outcome: undefined };
  expect(bestFirst([offline, pending, supported])).toEqual([supported, pending, offline]);
});

test('equals keep the order of the connections', () => {
  const other = { ...missing, connectionId: 'other' };
  expect(bestFirst([missing, other])).toEqual([missing, other]);
  const timeout = { ...offline, outcome: fail({ kind: 'timeout', afterMs: 1 } as const) };
  expect(bestFirst([timeout, offline])).toEqual([timeout, offline]);
});
