import { toRaw } from 'vue';

import { type CheckedCode, isLocked } from '#core/check/index';
import { omitUndefined } from '#core/result';
import { newPendingCheck, type PendingCheck } from '#stores/check/pending-check';

export interface CheckEntry {
  readonly code: string;
  readonly pendingChecks: PendingCheck[];
  /** Joins what its connections are asked at once; absent until something is. */
  question?: string;
}

export const CheckEntry = {
  /** Makes the entry of a code that was checked before, at the connections that are still there. */
  restored: (
    { code, checks }: CheckedCode,
    find: (connectionId: string) => unknown,
  ): CheckEntry => ({
    code,
    pendingChecks: checks
      .filter(({ connectionId }) => find(connectionId) !== undefined)
      .map(({ connectionId, report }) => ({
        ...newPendingCheck(connectionId, code),
        report,
        state: 'settled',
      })),
  }),
  /** Returns what is kept of an entry for the next time a view opens. */
  kept: ({ code, pendingChecks }: CheckEntry): CheckedCode => ({
    code,
    checks: pendingChecks.map(({ connectionId, report }) =>
      omitUndefined({ connectionId, report: report && toRaw(report) }),
    ),
  }),
  /** Tells whether the keys were locked when the code was asked about: a lock lets nothing of any answer be stored. */
  metLock: ({ pendingChecks }: CheckEntry): boolean =>
    pendingChecks.some(({ report }) => isLocked(report?.outcome)),
} as const;
