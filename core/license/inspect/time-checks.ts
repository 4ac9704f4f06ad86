import { check } from '#core/license/inspect/check';
import type { Clock } from '#core/license/clock';
import { trustedMoment } from '#core/license/clock';
import type { Check } from '#core/license/inspect/inspection';
import type { Deadlines, LastContact } from '#core/license/standing';
import { standingAt } from '#core/license/standing';

export function checkNextValidation(clock: Clock, deadlines: Deadlines | undefined): Check {
  if (deadlines === undefined) return check('next-validation', 'skip', 'absent');
  const { nextValidationAt } = deadlines;
  return trustedMoment(clock).moment < nextValidationAt
    ? check('next-validation', 'pass', 'ahead', { nextValidationAt })
    : check('next-validation', 'warn', 'due', { nextValidationAt });
}

export function checkGrace(
  clock: Clock,
  deadlines: Deadlines | undefined,
  last: LastContact | undefined,
): Check {
  if (deadlines === undefined) return check('grace', 'skip', 'absent');
  const { graceUntil } = deadlines;
  const { moment, turnedBack } = trustedMoment(clock);
  if (last?.outcome === 'refused') {
    return check('grace', 'fail', 'refused', { graceUntil, refusedAt: last.at });
  }
  switch (standingAt(clock, deadlines, last)) {
    case 'grace':
      return check('grace', 'warn', 'open', { graceUntil, since: last?.at ?? moment });
    case 'validation-due':
      return check('grace', 'warn', turnedBack ? 'clock' : 'not-shown', { graceUntil });
    case 'denied':
      return check('grace', 'fail', 'over', { graceUntil });
    case 'activated':
    case 'not-activated':
      return check('grace', 'pass', 'not-needed', { graceUntil });
  }
}

export function checkClock(clock: Clock): Check {
  const { now, latestSeen } = clock;
  if (latestSeen === undefined) return check('clock', 'skip', 'unknown', { now });
  return trustedMoment(clock).turnedBack
    ? check('clock', 'warn', 'turned-back', { now, latestSeen })
    : check('clock', 'pass', 'steady', { now, latestSeen });
}
