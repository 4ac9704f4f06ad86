import { toRaw } from 'vue';

import { type CheckedCode, isLocked } from '#core/check/index';
import { omitUndefined } from '#core/result';
import { useCheck } from '#stores/check/check';
import { type CheckEntry, newPendingCheck } from '#stores/check/pending-check';
import { useConnections } from '#stores/connections/connections';

/** Makes the entry of a previously checked code, at the connections that still exist. */
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

/** Returns the part of an entry that is kept until a view opens again. */
export function checkedCodeOf({ code, lookedUpAt, pendingChecks }: CheckEntry): CheckedCode {
  return omitUndefined({
    code,
    lookedUpAt,
    checks: pendingChecks.map(({ connectionId, report }) =>
      omitUndefined({ connectionId, report: report && toRaw(report) }),
    ),
  });
}

/** Tells whether the keys were locked when the code was checked: after a lock, no part of an answer may be stored. */
export function entryMetLock({ pendingChecks }: CheckEntry): boolean {
  return pendingChecks.some(({ report }) => isLocked(report?.outcome));
}

/** Keeps the present check and restores it later. Loaded after the popup has shown its field. */
export function useKeptChecks(): {
  readonly checkedCodes: () => CheckedCode[];
  /** Tells whether the keys were locked while a code was checked. */
  readonly hasMetLock: () => boolean;
  /** Restores a text and its checked codes. If any of them has no answer, all are checked again. */
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
        check.replaceText(text, true, ticket);
        if (entries.length > 0) void check.submit();
      }
    },
  };
}
