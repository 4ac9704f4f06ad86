import type { Fault } from '#core/seller/fault';

/** Names what a bulk check does after a fault. */
export type AfterFault =
  /** The row waits and is checked again at `until`, epoch milliseconds. */
  | { readonly do: 'wait'; readonly until: number }
  /** The job is paused, since every further row would fail in the same way. */
  | { readonly do: 'pause' }
  /** The fault becomes the row's outcome; the agent can retry it with the others that failed. */
  | { readonly do: 'note' };

/** Counts the faults in a row at one connection after which the job is paused. */
export const faultsInARow = 8;

/**
 * Decides what a bulk check does after a fault.
 * @param tries how often this row was checked before
 */
export function afterFault(fault: Fault, tries: number): AfterFault {
  switch (fault.kind) {
    case 'rate-limited':
      return { do: 'wait', until: fault.retryAt };
    case 'server-error':
    case 'relay-upstream':
    case 'relay-unavailable':
      return fault.retryAt !== undefined && tries < 3
        ? { do: 'wait', until: fault.retryAt }
        : { do: 'note' };
    case 'locked':
    case 'no-key':
    case 'not-permitted':
    case 'no-connection':
    case 'relay-sign-in':
    case 'relay-refused':
    case 'offline':
    case 'redirected':
    case 'api-off':
      return { do: 'pause' };
    case 'refused':
      return { do: fault.about === 'key' ? 'pause' : 'note' };
    case 'not-json':
      return { do: fault.userAgent === 'ruled-out' ? 'note' : 'pause' };
    case 'unreachable':
    case 'timeout':
    case 'unreadable':
    case 'too-large':
    case 'mismatch':
      return { do: 'note' };
  }
}
