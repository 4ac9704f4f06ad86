import type { NoAnswerReason } from '#core/installation/judge-reply';
import {
  type DocumentFault,
  type Inspection,
  type LastContact,
  nextTransition,
  type Standing,
  standingAt,
  type VerifiedCertificate,
} from '#core/license/index';
import type { VaultFault } from '#core/installation/ports';
import type { AuthorityRefusal, SavedState } from '#core/installation/saved-state';
import { type Clock, trustedMoment } from '#core/time/index';
import { pausedUntil } from '#core/installation/pacing';
import { omitUndefined } from '#core/result';

export type InstallationFault = NoAnswerReason | VaultFault;

/** Whether protected use is permitted at one moment, and why. JSON-safe; moments are epoch milliseconds. */
export interface Permit {
  readonly allowed: boolean;
  readonly standing: Standing;
  /** The next change that will happen merely with time. */
  readonly next?: NonNullable<Inspection['next']>;
  /** The certificate that counts: verified, and bound to this domain and installation. */
  readonly certificate?: VerifiedCertificate;
  readonly lastContact?: LastContact;
  /** The authority's refusal, until it answers otherwise. */
  readonly refusal?: AuthorityRefusal;
  /** Why the authority gave no usable answer when last asked, or why the stored documents do not count. */
  readonly fault?: InstallationFault;
  /** After a refusal or a failure: the authority is not asked again before this moment. */
  readonly retryAt?: number;
  /** The clock is more than five minutes behind a moment that it has shown before, so there is no grace. */
  readonly clockTurnedBack: boolean;
}

/** Those of the stored documents that have been verified. */
export interface StoredLicense {
  readonly state: SavedState;
  readonly certificate?: VerifiedCertificate;
  readonly fault?: DocumentFault | VaultFault;
}

export function clockOf({ state: { latestSeen } }: StoredLicense, now: number): Clock {
  return omitUndefined({ now, latestSeen });
}

export function permitFor(
  stored: StoredLicense,
  now: number,
  contactFault: InstallationFault | undefined,
): Permit {
  const { state, certificate } = stored;
  const { lastContact } = state;
  const clock = clockOf(stored, now);
  const standing = standingAt(clock, certificate, lastContact);
  const next = nextTransition(standing, certificate);
  const fault = stored.fault ?? (standing === 'activated' ? undefined : contactFault);
  const refusal = standing === 'denied' ? lastContact?.refusal : undefined;
  const retryAt =
    standing === 'activated' || certificate === undefined
      ? undefined
      : pausedUntil(state.pacing, certificate, certificate.installationId, now);
  return omitUndefined({
    allowed: isAllowed(standing, certificate, lastContact),
    standing,
    clockTurnedBack: trustedMoment(clock).turnedBack,
    next,
    certificate,
    lastContact,
    refusal,
    fault,
    retryAt,
  });
}

/**
 * If validation is due again right after one succeeded, the authority's clock is behind by more than its interval. Use
 * is allowed: the authority has just agreed, and even an outage would have led to grace.
 */
function isAllowed(
  standing: Standing,
  certificate: VerifiedCertificate | undefined,
  last: LastContact | undefined,
): boolean {
  if (standing !== 'validation-due') return standing === 'activated' || standing === 'grace';
  return last?.outcome === 'validated' && last.at >= (certificate?.nextValidationAt ?? Infinity);
}
