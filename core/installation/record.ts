import type { ValidationOutcome } from '#core/installation/judge-reply';
import type { LicenseRequest } from '#core/installation/ports';
import type { AuthorityRefusal, RetryPacing, SavedState } from '#core/installation/saved-state';
import { omitUndefined } from '#core/result';
import type { JsonObject } from '#core/encoding/index';

/**
 * Records the outcome of a validation in the present state, since another program may have saved one in the meantime.
 */
export function recordValidation(
  state: SavedState,
  outcome: ValidationOutcome,
  request: LicenseRequest,
  now: number,
): SavedState {
  // An answer about a license that was replaced says nothing about the new one.
  if (state.license !== request.license) return state;
  if (outcome.kind === 'granted') return recordGrant(state, outcome, request, now);
  const pacing = paceAfter(state.pacing, outcome, now);
  if (outcome.kind === 'refused') {
    const { refusal } = outcome;
    return { ...state, pacing, lastContact: { at: now, outcome: 'refused', refusal } };
  }
  // A refusal is remembered until a success: an outage after it opens no grace.
  if (state.lastContact?.outcome === 'refused') return { ...state, pacing };
  return { ...state, pacing, lastContact: { at: now, outcome: 'unreachable' } };
}

/** Records the outcome of an activation; a failed one leaves the stored documents unchanged. */
export function recordActivation(
  state: SavedState,
  outcome: ValidationOutcome,
  request: LicenseRequest,
  now: number,
): SavedState {
  return outcome.kind === 'granted' ? recordGrant(state, outcome, request, now) : state;
}

/** Records a newly received, verified certificate. This also resets a latest moment that was wrongly in the future. */
export function recordGrant(
  state: SavedState,
  { written, certificate }: Extract<ValidationOutcome, { kind: 'granted' }>,
  { license, domain, productSlug }: LicenseRequest,
  now: number,
): SavedState {
  // If it is already due again, the two clocks disagree, and asking at every use would not help.
  const current = now < certificate.nextValidationAt;
  return {
    ...state,
    license,
    domain,
    productSlug,
    certificate: written,
    lastContact: { at: now, outcome: 'validated' },
    pacing: { askedAt: now, failures: current ? 0 : (state.pacing?.failures ?? 0) + 1 },
    latestSeen: now,
  };
}

export function hasCertificate(
  state: SavedState,
  certificate: string | JsonObject | undefined,
): boolean {
  return JSON.stringify(state.certificate) === JSON.stringify(certificate);
}

/**
 * Returns a refusal of the same license that another program recorded while this question was running and that was
 * asked no earlier. A certificate that arrives late must not clear it.
 * @param before the state when this question was asked
 * @param now when this question was asked
 */
export function findLaterRefusal(
  state: SavedState,
  before: SavedState,
  { license }: LicenseRequest,
  now: number,
): AuthorityRefusal | undefined {
  const { lastContact: last } = state;
  if (last?.outcome !== 'refused' || state.license !== license || last.at < now) return undefined;
  const isKnown = before.lastContact?.outcome === 'refused' && before.lastContact.at === last.at;
  return isKnown ? undefined : last.refusal;
}

function paceAfter(
  pacing: RetryPacing | undefined,
  outcome: ValidationOutcome,
  now: number,
): RetryPacing {
  const notBefore = outcome.kind === 'unavailable' ? outcome.retryAt : undefined;
  return omitUndefined({
    askedAt: now,
    failures: (pacing?.failures ?? 0) + 1,
    notBefore,
  });
}
