import { toRaw } from 'vue';

import { type CheckedCode, isLocked } from '#core/check/index';
import { omitUndefined } from '#core/result';
import { useCheck } from '#stores/check/check';
import { type CheckEntry, newPendingCheck } from '#stores/check/pending-check';
import { useConnections } from '#stores/connections/connections';

/** Makes the entry of a code that was checked before, at the connections that are still there. */
export function restoredEntry(
  { code, lookedUpAt, checks }: CheckedCode,
  find: (connectionId: string) => unknown,
): CheckEntry {
  return omitUndefined({
    code,
    lookedUpAt,
    pendingChecks: checks
      .filter(({ connectionId }) => find(connectionId) !== undefined)
      .map(({ connectionId, report }) => ({
        ...newPendingCheck(connectionId, code),
        report,
        state: 'settled' as const,
      })),
  });
}

/** Returns what is kept of an entry for the next time a view opens. */
export function checkedCodeOf({ code, lookedUpAt, pendingChecks }: CheckEntry): CheckedCode {
  return omitUndefined({
    code,
    lookedUpAt,
    checks: pendingChecks.map(({ connectionId, report }) =>
      omitUndefined({ connectionId, report: report && toRaw(report) }),
    ),
  });
}

/**
 * Tells whether the keys were locked when the code was asked about: after a lock, no part of an answer may be stored.
 */
export function entryMetLock({ pendingChecks }: CheckEntry): boolean {
  return pendingChecks.some(({ report }) => isLocked(report?.outcome));
}

/** Keeps the present check for later, and puts it back. The popup shows its field without it. */
export function useKeptChecks(): {
  readonly checkedCodes: () => CheckedCode[];
  /** Tells whether the keys were locked while a code was asked about. */
  readonly hasMetLock: () => boolean;
  /** Puts back a text and the codes checked in it. Without an answer to each of them, all are asked about anew. */
  readonly putBack: (text: string, checked: readonly CheckedCode[], ticket?: string) => void;
} {
  const check = useCheck();
  const connections = useConnections();
  return {
    checkedCodes: () => check.entries.map(checkedCodeOf),
    hasMetLock: () => check.entries.some(entryMetLock),
    putBack(text, checked, ticket) {
      const entries = checked.map((each) => restoredEntry(each, connections.find));
      const isWhole = entries.every(
        ({ pendingChecks }) =>
          pendingChecks.length > 0 &&
          pendingChecks.every(({ report }) => report?.outcome.ok === true),
      );
      if (entries.length > 0 && isWhole) check.show(entries, ticket);
      else {
        check.fill(text, true, ticket);
        if (entries.length > 0) void check.submit();
      }
    },
  };
}
