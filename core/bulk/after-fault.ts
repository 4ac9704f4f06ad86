import type { Fault } from '#core/seller/fault';

/** What a bulk check does about a fault. */
export type AfterFault =
  /** The row keeps its place; ask again at that moment, epoch milliseconds. */
  | { readonly do: 'wait'; readonly until: number }
  /** Every further row would meet it: the job waits for the agent. */
  | { readonly do: 'pause' }
  /** It is this row's outcome, and can be retried with the others that failed. */
  | { readonly do: 'note' };

/** So many in a row at one connection, and it is the connection that is broken rather than the codes. */
export const faultsInARow = 8;

/** @param tries how often this row was asked before */
export function afterFault(fault: Fault, tries: number): AfterFault {
  switch (fault.kind) {
    case 'rate-limited':
      return { do: 'wait', until: fault.retryAt };
    case 'server-error':
      return fault.retryAt !== undefined && tries < 3
        ? { do: 'wait', until: fault.retryAt }
        : { do: 'note' };
    case 'locked':
    case 'no-key':
    case 'not-permitted':
    case 'no-connection':
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
