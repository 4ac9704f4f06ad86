import { compare } from '#core/sort';
import { type Clock, trustedMoment } from '#core/time/index';

/** The states of the spec's table (section 3). `activated`: within the validation period. */
export type Standing = 'not-activated' | 'activated' | 'validation-due' | 'grace' | 'denied';

/**
 * The last time that the installation asked the authority. `refused` is an answer: a readable `status: "error"` at a status
 * that is a judgement. `unreachable` stands for everything else that brought no certificate.
 */
export interface LastContact {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly outcome: 'validated' | 'unreachable' | 'refused';
}

/** The deadlines of a verified certificate, epoch milliseconds; the first is never after the second. */
export interface Deadlines {
  readonly nextValidationAt: number;
  readonly graceUntil: number;
}

/**
 * Judges the standing of an installation at one moment: the spec's table, section 3, for every combination of its conditions.
 *
 * Reaching `next_validation_at` is due, reaching `grace_until` is denied. Grace opens only when the authority was asked after
 * validation became due and could not be reached: a refusal is an answer, not an outage. A clock that was turned back earns
 * nothing: the latest moment ever seen counts instead, and grants no grace.
 * @param clock the present and the latest moment ever seen, epoch milliseconds
 * @param certificate absent before the first activation
 * @example standingAt({ now: Date.now() }, certificate, undefined) // 'activated'
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

/** Returns the next change caused by the passing of time alone, and when; `undefined` if there is none. */
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

/** The facts that determine which certificate is newer. `raw`: its bytes, as text. */
export interface DatedCertificate extends Deadlines {
  readonly issuedAt?: number;
  readonly raw: string;
}

/**
 * Orders two certificates by age: above zero if the first is newer, zero only for the same bytes.
 *
 * A dated one is newer than one without `issued_at`; then the later `issued_at`, `next_validation_at` and `grace_until`
 * decide, and finally the bytes, so that the newest does not depend on the order. A certificate never replaces a newer
 * one.
 * @example certificates.toSorted(compareCertificates).at(-1) // the newest
 */
export function compareCertificates(a: DatedCertificate, b: DatedCertificate): number {
  return (
    compare(a.issuedAt ?? -Infinity, b.issuedAt ?? -Infinity) ||
    compare(a.nextValidationAt, b.nextValidationAt) ||
    compare(a.graceUntil, b.graceUntil) ||
    compare(a.raw, b.raw)
  );
}
