import type { HistoryStore, NewEntry } from '#adapters/storage/history-store';
import type { AuthorizedAccess, SellerAccessProvider } from '#background/seller/access';
import type { CheckReport } from '#core/check/check-report';
import { correctedSpelling } from '#core/check/corrected-spelling';
import { maskCode } from '#core/check/mask-code';
import { type AnswerSummary, summariseAnswer } from '#core/history/answer-summary';
import type { EarlierCheck, HistoryEntry, HistorySettings } from '#core/history/entry';
import { dayMs } from '#core/time/units';

interface HistoryDependencies {
  readonly store: HistoryStore;
  readonly access: Pick<SellerAccessProvider, 'find'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** An answer of a bulk check. */
export interface BulkAnswer {
  readonly jobId: string;
  readonly code: string;
  /** The corrected spelling that was found, when the code as handed over was not. */
  readonly foundAs?: string | undefined;
  readonly answer: AnswerSummary;
  readonly checkedAt: number;
}

export interface History {
  /**
   * Stores a report's answer, and returns the report with what was known of the code before.
   * A failure of the storage never costs the report.
   * @param isLocked tells whether the keys were locked since the check began: nothing is stored then
   */
  record(report: CheckReport, isLocked: () => boolean, ticket?: string): Promise<CheckReport>;
  /** Stores answers, unless the keys were locked since. */
  recordBulk(
    access: Pick<AuthorizedAccess, 'connection' | 'isLocked'>,
    answers: readonly BulkAnswer[],
  ): Promise<void>;
  /** Deletes a connection's entries, unless the agent's settings keep them. */
  forgetConnection(connectionId: string): Promise<void>;
  /** Removes entries older than the agent's settings allow. */
  prune(): Promise<void>;
}

/** Stores answers, never faults; the settings decide whether the code is stored whole or masked. */
export function createHistory({ store, access, now }: HistoryDependencies): History {
  async function recordAnswer(
    report: CheckReport,
    isLocked: () => boolean,
    ticket: string | undefined,
  ): Promise<CheckReport> {
    const settings = await store.settings();
    const { connectionId, code, checkedAt, outcome } = report;
    if (settings.days === 0 || !outcome.ok) return report;
    const spelling = report.foundAs ?? code;
    const [codeId, spellingId] = await Promise.all([
      store.codeIdOf(correctedSpelling(code) ?? code),
      store.spellingIdOf(spelling),
    ]);
    const entries = await store.ofCode(codeId);
    const here = entries.filter((entry) => entry.connectionId === connectionId);
    if (!report.cached && !here.some((entry) => entry.checkedAt === checkedAt)) {
      const entry: NewEntry = {
        ...{ codeId, spellingId, connectionId, checkedAt, by: 'agent' },
        code: settings.codes === 'whole' ? code : maskCode(code),
        connectionName: (await access.find(connectionId))?.name ?? '',
        answer: summariseAnswer(outcome.value),
        ...(settings.tickets && ticket !== undefined ? { ticket } : {}),
      };
      // A full disk must not stop the check; the history shows the gap by its age.
      if (!isLocked()) await store.add([entry]);
    }
    const older = here.filter((entry) => entry.checkedAt < checkedAt);
    const checked = await checkedSpellings(report);
    const same = older.find((entry) => checked.has(entry.spellingId ?? ''));
    const before = same ?? older[0];
    if (before === undefined) return report;
    const tickets = otherTickets(entries, settings, ticket);
    const earlier: EarlierCheck = {
      ...{ checkedAt: before.checkedAt, answer: before.answer, tickets },
      sameSpelling: same !== undefined,
    };
    return { ...report, earlier };
  }

  /** Names the spellings that the answer is about: a not-found is about the corrected one as well. */
  async function checkedSpellings({ code, foundAs, outcome }: CheckReport): Promise<Set<string>> {
    const isMissing = outcome.ok && outcome.value.kind === 'not-found';
    const corrected = isMissing ? correctedSpelling(code) : undefined;
    const spellings = [foundAs ?? code, ...(corrected === undefined ? [] : [corrected])];
    return new Set(await Promise.all(spellings.map((spelling) => store.spellingIdOf(spelling))));
  }

  return {
    record: (report, isLocked, ticket) =>
      recordAnswer(report, isLocked, ticket).catch(() => report),

    async recordBulk({ connection: { id, name }, isLocked }, answers) {
      const settings = await store.settings();
      if (settings.days === 0) return;
      const entries = answers.map(async ({ code, foundAs, ...rest }): Promise<NewEntry> => ({
        codeId: await store.codeIdOf(correctedSpelling(code) ?? code),
        spellingId: await store.spellingIdOf(foundAs ?? code),
        code: settings.codes === 'whole' ? code : maskCode(code),
        ...{ connectionId: id, connectionName: name, by: 'bulk', ...rest },
      }));
      const ready = await Promise.all(entries);
      if (!isLocked()) await store.add(ready);
    },

    async forgetConnection(connectionId) {
      if ((await store.settings()).goesWithConnection) await store.forgetConnection(connectionId);
    },

    async prune() {
      const { days } = await store.settings();
      if (days > 0) await store.prune(now() - days * dayMs);
    },
  };
}

/** Lists the addresses of other tickets a code was seen in, the latest first. */
function otherTickets(
  entries: readonly HistoryEntry[],
  settings: HistorySettings,
  ticket: string | undefined,
): string[] {
  if (!settings.tickets) return [];
  const addresses = entries.flatMap((entry) => entry.ticket ?? []);
  return [...new Set(addresses.filter((address) => address !== ticket))];
}
