import type { RetryPacing } from '#core/installation/saved-state';
import type { Deadlines } from '#core/license/standing';

const firstDelayMs = 30_000;
const maxDelayMs = 3_600_000;

/**
 * Tells whether the authority may be asked again. After the n-th failure in a row, half a minute doubled n - 1 times passes, an
 * hour at most, and no more than an eighth of the grace period, so that a short one is not slept through. Installations
 * differ by a quarter either way, so that they do not all come back to a recovered authority at once.
 * @param installationId what an installation differs by
 */
export function mayAsk(
  pacing: RetryPacing | undefined,
  { nextValidationAt, graceUntil }: Deadlines,
  installationId: string,
  now: number,
): boolean {
  // A clock that was set back would otherwise have to catch up first.
  if (pacing === undefined || pacing.failures === 0 || now < pacing.askedAt) return true;
  const { askedAt, failures, notBefore = 0 } = pacing;
  const short = Math.max(1000, (graceUntil - nextValidationAt) / 8);
  const backoff = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs, short);
  const wished = Math.min(notBefore - askedAt, maxDelayMs);
  return now - askedAt >= Math.max(backoff * spread(installationId), wished);
}

/** Returns a factor from 0.75 to 1.25, always the same for one installation. */
function spread(installationId: string): number {
  return 0.75 + parseInt(installationId.slice(0, 2), 16) / 510;
}
