import type { Fault } from '#core/marketplaces/index';
import { minuteMs } from '#core/time/index';

export function isAboutKey(fault: Fault): fault is Extract<Fault, { readonly kind: 'refused' }> {
  return fault.kind === 'refused' && fault.about === 'key';
}

/**
 * Tells whether a fault says nothing about the connection's key or permissions, or about the code, so that an earlier
 * answer still counts. A key that is refused, locked or gone may not vouch for an earlier answer, and neither may one
 * whose token was revoked.
 */
export function isTemporary(fault: Fault): boolean {
  switch (fault.kind) {
    case 'offline':
    case 'unreachable':
    case 'timeout':
    case 'server-error':
    case 'api-off':
    case 'not-json':
    case 'relay-upstream':
      return true;
    case 'rate-limited':
      return fault.search === undefined;
    case 'relay-unavailable':
      return fault.reason === 'outage';
    case 'refused':
    case 'redirected':
    case 'unreadable':
    case 'too-large':
    case 'mismatch':
    case 'not-permitted':
    case 'locked':
    case 'no-key':
    case 'no-connection':
    case 'relay-sign-in':
    case 'relay-refused':
      return false;
  }
}

/** How often a page asks again by itself after a fault, and how far ahead at most. */
const maxRetries = 3;
const maxWaitMs = 15 * minuteMs;

/**
 * Returns the moment at which a page asks again by itself, epoch milliseconds: the fault's `retryAt`. Undefined where the
 * agent has to ask.
 * @param retries how often it has asked again by itself
 */
export function nextRetryAt(
  fault: object | undefined,
  retries: number,
  now: number,
): number | undefined {
  if (fault === undefined || !('retryAt' in fault) || typeof fault.retryAt !== 'number')
    return undefined;
  return retries < maxRetries && fault.retryAt - now <= maxWaitMs ? fault.retryAt : undefined;
}
