import type { RetryPacing } from '#core/installation/saved-state';
import type { VerifiedCertificate } from '#core/license/index';

const firstDelayMs = 30_000;
const maxDelayMs = 3_600_000;

/**
 * Returns until when the authority is not asked again, epoch milliseconds; undefined if it may be asked now. After the
 * n-th consecutive failure the pause is half a minute doubled n - 1 times, but at most an hour and at most an eighth of
 * the grace period, so that a short grace period is not missed. The pause varies by up to a quarter between
 * installations, so that they do not all return to a recovered authority at once.
 * @param installationId seeds the variation
 */
export function pausedUntil(
  pacing: RetryPacing | undefined,
  { nextValidationAt, graceUntil }: Pick<VerifiedCertificate, 'nextValidationAt' | 'graceUntil'>,
  installationId: string,
  now: number,
): number | undefined {
  // If the clock was set back, waiting until it caught up could take very long.
  if (pacing === undefined || pacing.failures === 0 || now < pacing.askedAt) return undefined;
  const { askedAt, failures, notBefore = 0 } = pacing;
  const short = Math.max(1000, (graceUntil - nextValidationAt) / 8);
  const backoff = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs, short);
  const wished = Math.min(notBefore - askedAt, maxDelayMs);
  const end = askedAt + Math.max(backoff * spread(installationId), wished);
  return now < end ? end : undefined;
}

/** Returns a factor from 0.75 to 1.25, always the same for one installation. */
function spread(installationId: string): number {
  return 0.75 + parseInt(installationId.slice(0, 2), 16) / 510;
}
