import type { Fault } from '#core/marketplaces/index';

export function isAboutKey(fault: Fault): fault is Extract<Fault, { readonly kind: 'refused' }> {
  return fault.kind === 'refused' && fault.about === 'key';
}

/**
 * Tells whether a fault says nothing about the connection's key or permissions, or about the code, so that an earlier
 * answer still counts. It does not count if the key is refused, locked or gone, or the token was revoked.
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
