import type { Clock } from '#core/license/clock';
import { trustedMoment } from '#core/license/clock';

/** The states of the spec's table, section 3. `activated`: within the validation period. */
export type Standing = 'not-activated' | 'activated' | 'validation-due' | 'grace' | 'denied';

/**
 * The last time that the installation asked the authority. `refused` is an answer, `unreachable` is none; what a refusal is
 * and what is not stands in design, "What the spec leaves open".
 * @param at epoch milliseconds
 */
export interface LastContact {
  readonly at: number;
  readonly outcome: 'validated' | 'unreachable' | 'refused';
}

/** The deadlines of a certificate that has been verified; epoch milliseconds, the first never after the second. */
export interface Deadlines {
  readonly nextValidationAt: number;
  readonly graceUntil: number;
}

/**
 * Where an installation stands at one moment: the spec's table, section 3, for every combination of its conditions.
 *
 * Reaching `next_validation_at` is due, reaching `grace_until` is denied. Grace opens only when the authority was asked after
 * validation became due and could not be reached: a refusal is an answer, not an outage. A clock that was turned back earns
 * nothing: the latest moment ever seen counts instead, and grants no grace.
 * @param certificate absent before the first activation
 */
export function standingAt(
  clock: Clock,
  certificate: Deadlines | undefined,
  last: LastContact | undefined,
): Standing {
  if (certificate === undefined) return 'not-activated';
  if (last?.outcome === 'refused') return 'denied';
  const { moment, turnedBack } = trustedMoment(clock);
  if (moment >= certificate.graceUntil) return 'denied';
  if (moment < certificate.nextValidationAt) return 'activated';
  const unreached = last?.outcome === 'unreachable' && last.at >= certificate.nextValidationAt;
  return unreached && !turnedBack ? 'grace' : 'validation-due';
}

export interface UpcomingTransition {
  readonly to: Standing;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What the passing of time alone changes next, and when; `undefined` where it changes nothing any more. */
export function nextTransition(
  standing: Standing,
  certificate: Deadlines | undefined,
): UpcomingTransition | undefined {
  if (certificate === undefined) return undefined;
  const { nextValidationAt, graceUntil } = certificate;
  switch (standing) {
    case 'activated':
      return nextValidationAt < graceUntil
        ? { to: 'validation-due', at: nextValidationAt }
        : { to: 'denied', at: graceUntil };
    case 'validation-due':
    case 'grace':
      return { to: 'denied', at: graceUntil };
    case 'not-activated':
    case 'denied':
      return undefined;
  }
}

/**
 * Whether a certificate is newer than another: a later `issued_at`, else a later `next_validation_at`. One never replaces a
 * newer one.
 */
export function isNewer(
  candidate: Deadlines & { readonly issuedAt?: number },
  present: Deadlines & { readonly issuedAt?: number },
): boolean {
  const [a, b] = [candidate.issuedAt, present.issuedAt];
  if (a !== undefined && b !== undefined && a !== b) return a > b;
  return candidate.nextValidationAt > present.nextValidationAt;
}
