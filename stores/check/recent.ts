import { defineStore } from 'pinia';
import { type InjectionKey, computed, ref, shallowRef, watch } from 'vue';

import type { CheckedCode } from '#core/check/index';
import { canonicalCode, maskCode } from '#core/codes/index';
import { checksOf, type HistoryCheck, type HistoryEntry } from '#core/history/index';
import { useCheck } from '#stores/check/check';
import { type CheckEntry, eachOnce, hasReport, maxPast } from '#stores/check/pending-check';
import { checkedCodeOf, entryMetLock, restoredEntry } from '#stores/check/kept-checks';
import { useConnections } from '#stores/connections/connections';
import { usePort } from '#stores/ports';

/**
 * The distinct codes that were checked before the present ones, newest first. Their answers outlive the view but not
 * the browser; after a restart, only the history has them.
 */
export const useRecent = defineStore('recent', () => {
  const check = useCheck();
  const connections = useConnections();
  const port = usePort(recentChecksPort);
  const stored = shallowRef<readonly HistoryCheck[]>([]);
  /** This view must not write before it has read the stored checks, or it would replace them. */
  const isRestored = ref(false);

  // The keys were locked, a connection was deleted or the history was erased, so nothing of it may be shown or written
  // again. A check without an answer continues: when the worker finds the keys locked, it removes the stored checks and
  // reports the lock in its answer.
  port.watch(() => {
    if (check.entries.some(holdsAnswer)) check.reset();
    check.past = [];
    stored.value = [];
  });

  const shown = computed(() => {
    const present = new Set(check.entries.map(({ code }) => code));
    return check.past.filter(({ code }) => !present.has(code));
  });
  /** The history's checks of codes whose answers are no longer in memory. */
  const earlier = computed(() => {
    // A masked code may stand for any code with the same ends, so it is compared only with masks.
    const known = new Set(
      [...check.entries, ...check.past].flatMap(({ code }) =>
        [code, maskCode(code)].map(canonicalCode),
      ),
    );
    return stored.value
      .filter(({ code }) => !known.has(canonicalCode(code)))
      .slice(0, Math.max(0, maxPast - shown.value.length));
  });
  /** The checks to keep: the present one, and the finished ones before it. */
  const kept = computed(() =>
    (check.entries.some(entryMetLock) ? [] : [check.entries, check.past.filter(isFinished)]).map(
      (some) => some.filter(isKept).map(checkedCodeOf),
    ),
  );
  /** The names of what this view has read or written. It is stored only as long as this view keeps it. */
  let known = new Set<string>();
  watch([kept, isRestored], ([[present = [], before = []], mayWrite]) => {
    if (!mayWrite) return;
    const own = new Set([...present, ...before].map(nameOf));
    const dropped = known.difference(own);
    known = own;
    // Another view may have stored checks since this one read them.
    void port.change((all) =>
      eachOnce(
        [...present, ...all.filter((each) => !dropped.has(nameOf(each))), ...before].toSorted(
          (one, other) => (other.lookedUpAt ?? 0) - (one.lookedUpAt ?? 0),
        ),
      ),
    );
  });

  /**
   * Reads the checks from before this view opened. An unfinished check is started again, unless the field has a text.
   * @param filled settles when the field has its text from the ticket, if there is one; to false if the check may not
   * belong to the ticket in front
   */
  async function restore(filled?: Promise<boolean>): Promise<void> {
    const [session] = await Promise.all([
      port.read(),
      connections.list === undefined ? connections.load() : undefined,
    ]);
    known = new Set(session.map(nameOf));
    const read = session
      .map((each) => restoredEntry(each, connections.find))
      .filter(({ pendingChecks }) => pendingChecks.length > 0);
    const finished = read.filter(isFinished);
    check.past = eachOnce(check.past, finished);
    isRestored.value = true;
    if (check.past.length < maxPast)
      void port.stored(maxPast).then((found) => (stored.value = eachCodeOnce(found)));
    if ((await filled) === false) return;
    const [latest] = read;
    if (latest === undefined || finished.includes(latest) || check.draft !== '') return;
    check.replaceText(latest.code, false);
    await check.submit();
  }

  /** Shows a code again with its earlier answers, without sending requests. */
  function open(entry: CheckEntry): void {
    check.show([entry]);
  }

  /** Checks again a code that the history has stored whole. */
  function checkAgain(code: string): void {
    check.replaceText(code, false);
    void check.submit();
  }

  return { entries: shown, earlier, restore, open, checkAgain };
});

/** Returns for each code that the agent checked the latest check with a verdict, or else the latest check. */
function eachCodeOnce(found: readonly HistoryEntry[]): HistoryCheck[] {
  const checks = checksOf(found.filter(({ by }) => by === 'agent'));
  return [...Map.groupBy(checks, ({ codeId }) => codeId).values()].flatMap(
    (ofCode) => ofCode.find(({ group }) => group !== 'fault') ?? ofCode.slice(0, 1),
  );
}

function isFinished({ pendingChecks }: CheckEntry): boolean {
  return areAnswered(pendingChecks);
}

function areAnswered(checks: readonly { readonly report?: unknown }[]): boolean {
  return checks.every(({ report }) => report !== undefined);
}

/** Names a stored check: an unfinished one otherwise than an answered one of the same code, which may outlive it. */
function nameOf({ code, checks }: CheckedCode): string {
  return code + String(areAnswered(checks));
}

/** Returns false for a check that the agent stopped before any answer, so that the next view does not start it again. */
function isKept(entry: CheckEntry): boolean {
  const isGivenUp = entry.pendingChecks.some(
    ({ isStopped, report }) => isStopped === true && report === undefined,
  );
  return !isGivenUp && !entryMetLock(entry);
}

function holdsAnswer(entry: CheckEntry): boolean {
  return !entryMetLock(entry) && hasReport(entry);
}

/** Stores the latest checks until a view opens again: only in memory, and only if the history is on. */
export interface RecentChecksPort {
  /** Returns the stored checks, newest first. */
  readonly read: () => Promise<readonly CheckedCode[]>;
  /** Applies `edit` to the stored checks atomically. */
  readonly change: (
    edit: (kept: readonly CheckedCode[]) => readonly CheckedCode[],
  ) => Promise<void>;
  /** Calls back when the stored checks and the cards of tickets were removed. */
  readonly watch: (removed: () => void) => void;
  /** Returns every history entry of the codes that the agent last checked, newest first. */
  readonly stored: (count: number) => Promise<readonly HistoryEntry[]>;
}
export const recentChecksPort: InjectionKey<RecentChecksPort> = Symbol('recent checks');
