import { toRaw } from 'vue';

import { type CheckedCode, isLocked } from '#core/check/index';
import { omitUndefined } from '#core/result';
import { newPendingCheck, type PendingCheck } from '#stores/check/pending-check';

export interface CheckEntry {
  readonly code: string;
  readonly pendingChecks: PendingCheck[];
  /** Links the requests that its connections are sent together; absent until there are any. */
  question?: string;
}

/** Makes the entry of a code that was checked before, at the connections that are still there. */
export function restoredEntry(
  { code, checks }: CheckedCode,
  find: (connectionId: string) => unknown,
): CheckEntry {
  return {
    code,
    pendingChecks: checks
      .filter(({ connectionId }) => find(connectionId) !== undefined)
      .map(({ connectionId, report }) => ({
        ...newPendingCheck(connectionId, code),
        report,
        state: 'settled',
      })),
  };
}

/** Returns what is kept of an entry for the next time a view opens. */
export function checkedCodeOf({ code, pendingChecks }: CheckEntry): CheckedCode {
  return {
    code,
    checks: pendingChecks.map(({ connectionId, report }) =>
      omitUndefined({ connectionId, report: report && toRaw(report) }),
    ),
  };
}

/** Tells whether the keys were locked when the code was asked about: after a lock, no part of an answer may be stored. */
export function metLock({ pendingChecks }: CheckEntry): boolean {
  return pendingChecks.some(({ report }) => isLocked(report?.outcome));
}
