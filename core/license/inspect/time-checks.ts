import { check } from '#core/license/inspect/check';
import { isUnproven } from '#core/license/inspect/context-checks';
import type { ExaminedCertificate } from '#core/license/inspect/examine';
import { type Clock, trustedMoment } from '#core/license/clock';
import type { Check } from '#core/license/inspect/inspection';
import { type LastContact, standingAt } from '#core/license/standing';

/** Holds a last contact, and whether only the file's own unsigned words tell of it. */
export interface KnownContact extends LastContact {
  readonly isStated: boolean;
}

export function checkNextValidation(
  clock: Clock,
  certificate: ExaminedCertificate | undefined,
): Check {
  if (isUnproven(certificate)) return check('next-validation', 'skip', 'not-verified');
  if (certificate?.verified === undefined) return check('next-validation', 'skip', 'absent');
  const { nextValidationAt } = certificate.verified;
  return trustedMoment(clock).moment < nextValidationAt
    ? check('next-validation', 'pass', 'ahead', { nextValidationAt })
    : check('next-validation', 'warn', 'due', { nextValidationAt });
}

export function checkGrace(
  clock: Clock,
  certificate: ExaminedCertificate | undefined,
  last: KnownContact | undefined,
): Check {
  if (isUnproven(certificate)) return check('grace', 'skip', 'not-verified');
  if (certificate?.verified === undefined) return check('grace', 'skip', 'absent');
  const { graceUntil } = certificate.verified;
  const { moment, turnedBack } = trustedMoment(clock);
  const isStated = last?.isStated === true;
  if (last?.outcome === 'refused') {
    const data = { graceUntil, refusedAt: last.at };
    return check('grace', 'fail', isStated ? 'refused-stated' : 'refused', data);
  }
  switch (standingAt(clock, certificate.verified, last)) {
    case 'grace': {
      const data = { graceUntil, since: last?.at ?? moment };
      return check('grace', 'warn', isStated ? 'open-stated' : 'open', data);
    }
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
