import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';

import { checksOf, type HistoryCheck, type HistoryEntry } from '#core/history/index';
import { isSettled } from '#core/verdict/index';
import { correctedSpelling } from '#core/codes/index';
import { type Result, fail, succeed } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import type { StorageFull } from '#core/storage/index';
import type { Refusal } from '#messaging/index';
import { useBulk } from '#stores/bulk/bulk';
import { useConnections } from '#stores/connections/connections';
import { createHistoryChanges } from '#stores/history/history-changes';
import { historyChangesPort, historyPort } from '#stores/history/ports';
import { createUnfinishedJobs } from '#stores/history/unfinished-jobs';
import { latest } from '#stores/latest';
import { askPort, usePort } from '#stores/ports';
import { withRests } from '#stores/with-rests';

type AgainFault = Exclude<Refusal<'history.again'>, { readonly kind: 'gone' }>;

export const maxEntries = 20_000;

/** The shortest interval between two readings of new records, in milliseconds. */
const followRestMs = 1000;

/** The checks stored in this browser, for the history page. */
export const useHistory = defineStore('history', () => {
  const port = usePort(historyPort);
  const ask = usePort(askPort);
  const watchHistory = usePort(historyChangesPort);
  const bulk = useBulk();
  const connections = useConnections();

  const entries = shallowRef<readonly HistoryEntry[]>();
  const wanted = ref('');
  /** The digest of the code that is searched for, so that a masked entry is found by its whole code. */
  const wantedId = ref('');
  const storageFull = ref(false);
  /** The number of readings of the entries started so far, and the number of the one that is shown. */
  let [begun, shownReading] = [0, 0];
  /** How many codes are being checked again: the answers are shown together once all connections have given theirs. */
  let asksAgain = 0;
  const searches = latest();
  const { settings, settingsNewer, change, erase, remove } = createHistoryChanges({
    entries,
    load,
    readEntries,
  });

  const unfinished = createUnfinishedJobs(port, bulk);
  const checks = computed(() => readChecks(entries.value ?? []));
  const shown = computed(() => {
    const needle = wanted.value.trim().toLowerCase();
    if (needle === '') return checks.value;
    const holds = (entry: HistoryEntry): boolean => searchTextOf(entry).includes(needle);
    return checks.value.filter(
      (check) => check.codeId === wantedId.value || check.entries.some(holds),
    );
  });

  /** Returns the checks in the read entries. A connection that has never answered has no entry with its name. */
  function readChecks(read: readonly HistoryEntry[]): HistoryCheck[] {
    return checksOf(read, unfinished.unasked.value).map((check) => {
      const { silent, connectionNames } = check;
      if (silent.length <= connectionNames.length) return check;
      const names = silent.flatMap((id) => connections.find(id)?.name ?? []);
      return { ...check, connectionNames: [...new Set([...connectionNames, ...names])].sort() };
    });
  }

  async function load(): Promise<void> {
    settings.value = await port.settings();
    await readEntries();
  }

  async function readEntries(): Promise<void> {
    begun += 1;
    const own = begun;
    const [read, jobs] = await Promise.all([port.latest(maxEntries), unfinished.read()]);
    // A caller that waits for this reading finds it shown, or a later one.
    if (own < shownReading) return;
    shownReading = own;
    entries.value = read;
    unfinished.jobs.value = jobs;
  }

  /** Follows new records and the progress of bulk checks. Returns a function that ends this. */
  function follow(): () => void {
    const readSoon = withRests(async () => {
      if (asksAgain === 0) await readEntries();
    }, followRestMs);
    const ends = [
      watchHistory(readSoon),
      watch(() => bulk.jobs?.map(({ id, state }) => `${id} ${state}`).join(), readSoon),
      watch(
        () => bulk.outdatedIn(unfinished.jobs.value),
        (outdated) => {
          if (outdated !== '') readSoon();
        },
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  async function search(text: string): Promise<void> {
    const { isLatest } = searches.begin();
    wanted.value = text;
    const named = text.trim() === '' ? '' : await port.codeIdOf(correctedSpelling(text) ?? text);
    if (isLatest()) wantedId.value = named;
  }

  /**
   * Checks an entry's code again, bypassing the cache, for the typed ticket. Returns the new check, or why there is
   * none.
   * @param typed the ticket and the note, which are stored first, because the new check is shown in place of this one.
   * If they cannot be stored, undefined is returned; also if the entry is gone, which is then no longer shown.
   */
  async function checkAgain(
    { id, codeId, ...before }: HistoryEntry,
    typed: { readonly ticket: string; readonly note: string },
  ): Promise<Result<HistoryCheck, AgainFault | Fault | StorageFull> | undefined> {
    const isTyped = typed.ticket !== (before.ticket ?? '') || typed.note !== (before.note ?? '');
    if (isTyped) await annotate(id, typed.ticket, typed.note);
    if (isTyped && storageFull.value) return undefined;
    const ticket = typed.ticket.trim();
    asksAgain += 1;
    const answered = await ask('history.again', { id, ...(ticket !== '' && { ticket }) }).finally(
      () => (asksAgain -= 1),
    );
    await readEntries();
    if (!answered.ok) {
      const { fault } = answered;
      return fault.kind === 'gone' ? undefined : fail(fault);
    }
    const report = answered.value;
    if (!report.outcome.ok) return report.outcome;
    const added = checks.value.find(
      (check) =>
        check.codeId === codeId &&
        check.entries.some(
          (entry) =>
            entry.connectionId === report.connectionId && entry.checkedAt === report.checkedAt,
        ),
    );
    return added === undefined ? fail({ kind: 'storage-full' }) : succeed(added);
  }

  async function annotate(id: number, ticket: string, note: string): Promise<void> {
    storageFull.value = !(await port.annotate(id, { ticket: ticket.trim(), note: note.trim() })).ok;
    await readEntries();
  }

  /** Returns every check of a code, including those not shown on the page, newest first. */
  async function ofCode(codeId: string): Promise<HistoryCheck[]> {
    return readChecks(await port.ofCode(codeId)).filter(({ group }) => isSettled(group));
  }

  return {
    settings,
    entries,
    wanted,
    checks,
    shown,
    storageFull,
    settingsNewer,
    load,
    follow,
    search,
    change,
    erase,
    remove,
    checkAgain,
    annotate,
    ofCode,
  };
});

function searchTextOf({ code, connectionName, answer, ticket, note }: HistoryEntry): string {
  const item = answer.kind === 'purchase' ? answer.purchase.item.name : '';
  return `${code}\n${connectionName}\n${item}\n${ticket ?? ''}\n${note ?? ''}`.toLowerCase();
}
