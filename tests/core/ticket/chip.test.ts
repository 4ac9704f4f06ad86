import { expect, it } from 'vitest';

import type { CheckReport } from '#core/check/check-report';
import type { Purchase } from '#core/seller/purchase';
import { chipFaceOf } from '#core/ticket/chip';

const now = Date.UTC(2026, 4, 1);
const report = (outcome: CheckReport['outcome']): CheckReport => ({
  ...{ connectionId: 'c', code: 'x', checkedAt: now, cached: false, outcome },
});
/** Only its support counts for a chip. */
const bought = (supportedUntil?: number): CheckReport => {
  const purchase = { ...(supportedUntil === undefined ? {} : { supportedUntil }) } as Purchase;
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
