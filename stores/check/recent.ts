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
 * Keeps the codes that were checked before the present ones, the latest first, each once. Their answers outlive the
 * view but not the browser; after a restart, only the history has them.
 */
export const useRecent = defineStore('recent', () => {
  const check = useCheck();
  const connections = useConnections();
  const port = usePort(recentChecksPort);
  const stored = shallowRef<readonly HistoryCheck[]>([]);
  /** This view must not write before it has read the stored checks, or it would replace them. */
  const isRestored = ref(false);

  // The keys were locked, a connection was deleted or the history erased: nothing of it is shown or written again. A
  // check that has no answer yet goes on: the worker removes what is kept when it finds the keys locked, and says so in
  // its answer.
  port.watch(() => {
    if (check.entries.some(holdsAnswer)) check.reset();
    check.past = [];
    stored.value = [];
  });

  const shown = computed(() => {
    const present = new Set(check.entries.map(({ code }) => code));
    return check.past.filter(({ code }) => !present.has(code));
  });
  /** The history's checks of codes whose answers are gone from memory. */
  const earlier = computed(() => {
    // A masked code may be of any code with its ends, so that only masks are compared with it.
    const known = new Set(
      [...check.entries, ...check.past].flatMap(({ code }) =>
        [code, maskCode(code)].map(canonicalCode),
      ),
    );
    return stored.value
      .filter(({ code }) => !known.has(canonicalCode(code)))
      .slice(0, Math.max(0, maxPast - shown.value.length));
  });
  /** What is to be kept: the present check, and the ones before it. */
  const kept = computed(() =>
    (check.entries.some(entryMetLock) ? [] : [check.entries, check.past]).map((some) =>
      some.filter(isKept).map(checkedCodeOf),
    ),
  );
  /** The codes that this view has read or written: they are kept only as long as it keeps them. */
  let known = new Set<string>();
  watch([kept, isRestored], ([[present = [], before = []], mayWrite]) => {
    if (!mayWrite) return;
    const own = new Set([...present, ...before].map(({ code }) => code));
    const dropped = known.difference(own);
    known = own;
    // Another view may have checked something since this one read what was kept.
    void port.change((all) =>
      eachOnce(
        [...present, ...all.filter(({ code }) => !dropped.has(code)), ...before].toSorted(
          (one, other) => (other.lookedUpAt ?? 0) - (one.lookedUpAt ?? 0),
        ),
      ),
    );
  });

  /**
   * Reads what was checked before this view opened. A check that was not finished is begun again, unless the field has
   * a text.
   * @param filled settles once the field has its text from the ticket, if there is one; to false if a ticket is in
   * front to which the check may not belong
   */
  async function restore(filled?: Promise<boolean>): Promise<void> {
    const [session] = await Promise.all([
      port.read(),
      connections.list === undefined ? connections.load() : undefined,
    ]);
    known = new Set(session.map(({ code }) => code));
    const read = session
      .map((each) => restoredEntry(each, connections.find))
      .filter(({ pendingChecks }) => pendingChecks.length > 0);
    const finished = read.filter(({ pendingChecks }) =>
      pendingChecks.every(({ report }) => report !== undefined),
    );
    check.past = eachOnce(check.past, finished);
    isRestored.value = true;
    if (check.past.length < maxPast)
      void port.stored(maxPast).then((found) => (stored.value = eachCodeOnce(found)));
    if ((await filled) === false) return;
    const [latest] = read;
    if (latest === undefined || finished.includes(latest) || check.draft !== '') return;
    check.fill(latest.code, false);
    await check.submit();
  }

  /** Shows a code again with the answers it had, and asks nobody. */
  function open(entry: CheckEntry): void {
    check.show([entry]);
  }

  /** Checks a code again that the history has kept whole. */
  function checkAgain(code: string): void {
    check.fill(code, false);
    void check.submit();
  }

  return { entries: shown, earlier, restore, open, checkAgain };
});

/** Returns the latest check with a verdict of each code that the agent asked about, or else the latest. */
function eachCodeOnce(found: readonly HistoryEntry[]): HistoryCheck[] {
  const checks = checksOf(found.filter(({ by }) => by === 'agent'));
  return [...Map.groupBy(checks, ({ codeId }) => codeId).values()].flatMap(
    (ofCode) => ofCode.find(({ group }) => group !== 'fault') ?? ofCode.slice(0, 1),
  );
}

/** A check that the agent stopped is not begun again by the next view. */
function isKept(entry: CheckEntry): boolean {
  return !entryMetLock(entry) && entry.pendingChecks.every(({ isStopped }) => isStopped !== true);
}

function holdsAnswer(entry: CheckEntry): boolean {
  return !entryMetLock(entry) && hasReport(entry);
}

/**
 * Keeps what was last checked for the next time a view opens: the answers in memory, and only while the history is on.
 */
export interface RecentChecksPort {
  /** The latest first. */
  readonly read: () => Promise<readonly CheckedCode[]>;
  /** Keeps what `edit` makes of what is kept; no other view writes in between. */
  readonly change: (
    edit: (kept: readonly CheckedCode[]) => readonly CheckedCode[],
  ) => Promise<void>;
  /** Calls back when what was kept was removed, the cards of tickets with it. */
  readonly watch: (removed: () => void) => void;
  /** Returns every entry in the history of the codes that the agent checked last, the latest first. */
  readonly stored: (count: number) => Promise<readonly HistoryEntry[]>;
}
export const recentChecksPort: InjectionKey<RecentChecksPort> = Symbol('recent checks');
