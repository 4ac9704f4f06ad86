import type { Sealed } from '#adapters/secrets/wrapping';
import type { SecretStore } from '#adapters/secrets/secret-store';
import type {
  HistoryLookup,
  HistoryStore,
  NewEntry,
  SessionArea,
} from '#adapters/storage/worker/index';
import type { AuthorizedAccess } from '#background/seller/index';
import {
  type AnswerSummary,
  type CheckReport,
  type EarlierCheck,
  summariseAnswer,
} from '#core/check/index';
import { correctedSpelling, maskCode } from '#core/codes/index';
import type { Connection } from '#core/connections/index';
import type { HistoryEntry } from '#core/history/index';
import { omitUndefined } from '#core/result';
import { dayMs } from '#core/time/units';
import type { HistorySettings } from '#core/history-settings';
import { isTemporary } from '#core/fault-rules';
import type { CheckQuestion, CheckRequest } from '#core/check-request';

interface HistoryDependencies {
  readonly store: HistoryStore;
  readonly secrets: Pick<SecretStore, 'sealCodes'>;
  /** Remembers a failure to store until it has been reported. */
  readonly session: SessionArea;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Stands in `storage.session` while a gap in the history was not told: `true`, or the worker that was about to record rows. */
const gap = 'historyGap';

/** Holds an answer of a bulk check. */
export interface BulkAnswer {
  readonly jobId: string;
  readonly code: string;
  /** The connections that the job asks about the code, where there are several. */
  readonly asked?: readonly string[] | undefined;
  /** The corrected spelling that was found, when the code as handed over was not. */
  readonly foundSpelling?: string | undefined;
  readonly answer: AnswerSummary;
  readonly checkedAt: number;
}

/** Holds what recording a check needs, read while the check is under way. */
export interface KnownBefore extends HistoryLookup {
  readonly connectionName: string;
  /** The whole code, encrypted, where it is kept. */
  readonly whole: Sealed | undefined;
  /** Whether an earlier answer could not be stored, which nobody was told yet. */
  readonly hasGap: boolean;
}

export interface History {
  /**
   * Reads what is known of a code; undefined while the history is off. Call it when the check begins.
   * A failure of the storage never costs the check: it counts as a history that is off, and the next check tells it.
   */
  lookUp(
    code: string,
    connection: Pick<Connection, 'name'> | undefined,
  ): Promise<KnownBefore | undefined>;
  /**
   * Begins to store a report's answer, and returns the report with what was known of the code before. The caller does not wait
   * for the storage. An answer from the cache is stored where another connection was asked about the code at the same time: what
   * the agent was told rests on both. A report without an answer gets the last one.
   * @param known the result of `lookUp`
   */
  record(
    report: CheckReport,
    known: KnownBefore | undefined,
    request: Pick<CheckRequest, 'ticket' | 'question'>,
  ): CheckReport;
  /** Call it before rows are written whose answers are recorded later: a worker that is stopped in between leaves a gap. */
  expectBulk(): Promise<void>;
  /** Call it once every answer is recorded. */
  endBulk(): Promise<void>;
  /** Stores answers, unless the keys were locked since. */
  recordBulk(
    access: Pick<AuthorizedAccess, 'connection' | 'isLocked'>,
    answers: readonly BulkAnswer[],
  ): Promise<void>;
  /** Deletes a connection's entries, unless the agent's settings keep them. */
  forgetConnection(connectionId: string): Promise<void>;
  /** Removes entries older than the agent's settings allow, every one while the history is off, and masks the codes they no longer keep. */
  prune(): Promise<void>;
}

/** Stores answers, never faults; the settings decide whether the code is stored whole or masked. */
export function createHistory({ store, secrets, session, now }: HistoryDependencies): History {
  /** Callers that share one check get the same report: for all but the first, it counts as if it came from the cache. */
  const recorded = new WeakSet<CheckReport>();
  const questions = createOpenQuestions();
  const worker = crypto.randomUUID();
  let isMarked = false;
  let marking: Promise<unknown> = Promise.resolve();

  const findGap = async (): Promise<unknown> => (await session.get(gap))[gap];

  /** Marks one after the other: an end must not take away the mark of what was expected after it. */
  async function mark(change: () => Promise<void>): Promise<void> {
    const marked = marking.then(change);
    marking = marked.catch(() => undefined);
    await marked;
  }

  /** A full disk must not stop the check; the next one tells of the gap. */
  async function addOrNote(entries: () => Promise<readonly NewEntry[]>): Promise<void> {
    const added = await entries()
      .then((ready) => store.add(ready))
      .catch(() => undefined);
    if (added?.ok !== true) await session.set({ [gap]: true });
  }

  /** Encrypts codes where the settings keep them whole for some days. */
  async function sealed(
    codes: readonly { readonly codeId: string; readonly code: string }[],
    { codes: kept, wholeDays }: HistorySettings,
  ): Promise<readonly Sealed[]> {
    if (kept === 'whole' || wholeDays === 0) return [];
    return (await secrets.sealCodes(codes)) ?? [];
  }

  async function lookUp(code: string, connectionName: string): Promise<KnownBefore | undefined> {
    const corrected = correctedSpelling(code);
    const spellings = [code, ...(corrected === undefined ? [] : [corrected])];
    const [known, found] = await Promise.all([
      store.lookUp(corrected ?? code, spellings),
      findGap(),
    ]);
    if (known === undefined) return undefined;
    // Done while the seller is asked, so that the entry is written before the agent reads the history.
    const [whole] = await sealed([{ codeId: known.codeId, code }], known.settings);
    return { ...known, whole, connectionName, hasGap: found !== undefined && found !== worker };
  }

  return {
    lookUp: (code, connection) =>
      lookUp(code, connection?.name ?? '').catch(async () => {
        await session.set({ [gap]: true });
        return undefined;
      }),

    record(report, known, { ticket, question }) {
      const { connectionId, code, checkedAt, outcome } = report;
      if (known === undefined) return report;
      if (!outcome.ok) return isTemporary(outcome.fault) ? withLastKnown(report, known) : report;
      const { settings, codeId, spellingIds, entries, connectionName, hasGap, whole } = known;
      const told: CheckReport = hasGap ? { ...report, unrecorded: true } : report;
      if (hasGap) void session.remove(gap);
      const here = entries.filter((entry) => entry.connectionId === connectionId);
      const isFresh = !report.cached && !recorded.has(report);
      recorded.add(report);
      const entry: NewEntry = omitUndefined({
        codeId,
        connectionId,
        connectionName,
        // The moment when the agent was told.
        checkedAt: isFresh ? checkedAt : now(),
        by: 'agent',
        question: question?.id ?? crypto.randomUUID(),
        asked: question?.asked,
        spellingId: spellingIds.get(report.foundSpelling ?? code) ?? '',
        code: settings.codes === 'whole' ? code : maskCode(code),
        answer: summariseAnswer(outcome.value),
        sealed: whole,
        ticket: settings.tickets ? ticket : undefined,
      });
      const ready = questions.entriesToStore(question, entry, isFresh);
      if (ready.length > 0) void addOrNote(() => Promise.resolve(ready));
      const older = here.filter((entry) => entry.checkedAt < checkedAt);
      const checked = new Set(checkedSpellings(report).map((each) => spellingIds.get(each)));
      const same = older.find((entry) => checked.has(entry.spellingId ?? ''));
      const before = same ?? older[0];
      if (before === undefined) return told;
      const tickets = otherTickets(entries, settings, ticket);
      const earlier: EarlierCheck = {
        checkedAt: before.checkedAt,
        answer: before.answer,
        tickets,
        sameSpelling: same !== undefined,
      };
      return { ...told, earlier };
    },

    expectBulk: () =>
      mark(async () => {
        if (isMarked) return;
        isMarked = true;
        if ((await findGap()) === undefined) await session.set({ [gap]: worker });
      }),

    endBulk: () =>
      mark(async () => {
        isMarked = false;
        if ((await findGap()) === worker) await session.remove(gap);
      }),

    recordBulk: ({ connection: { id, name }, isLocked }, answers) =>
      addOrNote(async () => {
        const settings = await store.settings();
        if (settings.days === 0) return [];
        const ids = await store.idsOf(
          answers.map(({ code, foundSpelling }) => ({
            code: correctedSpelling(code) ?? code,
            spelling: foundSpelling ?? code,
          })),
        );
        const entries = answers.flatMap(
          ({ jobId, code, asked, checkedAt, answer }, at): NewEntry[] => {
            const named = ids[at];
            if (named === undefined) return [];
            return [
              omitUndefined({
                ...named,
                asked,
                code: settings.codes === 'whole' ? code : maskCode(code),
                connectionId: id,
                connectionName: name,
                by: 'bulk' as const,
                question: jobId,
                jobId,
                checkedAt,
                answer,
              }),
            ];
          },
        );
        const whole = await sealed(
          entries.map(({ codeId }, at) => ({ codeId, code: answers[at]?.code ?? '' })),
          settings,
        );
        const ready = entries.map((entry, at) => omitUndefined({ ...entry, sealed: whole[at] }));
        return isLocked() ? [] : ready;
      }),

    async forgetConnection(connectionId) {
      if ((await store.settings()).goesWithConnection) await store.forgetConnection(connectionId);
    },

    async prune() {
      const { days, wholeDays } = await store.settings();
      // A check that was under way while the history was switched off may have left an entry.
      await (days === 0 ? store.erase() : store.prune(now() - days * dayMs));
      await store.mask(now() - wholeDays * dayMs);
    },
  };
}

/** Returns a report without an answer with the connection's last one about the code, of the same spelling where there is one. */
function withLastKnown(report: CheckReport, { entries, spellingIds }: KnownBefore): CheckReport {
  const here = entries.filter(({ connectionId }) => connectionId === report.connectionId);
  const spellingId = spellingIds.get(report.code);
  const last = here.find((entry) => entry.spellingId === spellingId) ?? here[0];
  if (last === undefined) return report;
  return { ...report, lastKnown: { checkedAt: last.checkedAt, answer: last.answer } };
}

/** How many questions are remembered. One is open for seconds, and no page asks about as many codes at once. */
const maxQuestions = 200;

/** For questions to several connections, remembers the cached answers until another connection has given a new one. */
function createOpenQuestions(): {
  /** Returns the entries that are to be stored now: none for an answer from the cache while nothing was asked anew. */
  readonly entriesToStore: (
    question: CheckQuestion | undefined,
    entry: NewEntry,
    isFresh: boolean,
  ) => readonly NewEntry[];
} {
  const open = new Map<
    string,
    { readonly waiting: readonly NewEntry[]; readonly hasFresh: boolean }
  >();
  return {
    entriesToStore(question, entry, isFresh) {
      if (question === undefined) return isFresh ? [entry] : [];
      const { waiting, hasFresh } = open.get(question.id) ?? { waiting: [], hasFresh: false };
      const ready = [...waiting, entry];
      const isStored = isFresh || hasFresh;
      open.set(question.id, { waiting: isStored ? [] : ready, hasFresh: isStored });
      const [oldest = ''] = open.keys();
      if (open.size > maxQuestions) open.delete(oldest);
      return isStored ? ready : [];
    },
  };
}

/** Lists the spellings that the answer is about: a not-found is about the corrected one as well. */
function checkedSpellings({ code, foundSpelling, outcome }: CheckReport): string[] {
  const isMissing = outcome.ok && outcome.value.kind === 'not-found';
  const corrected = isMissing ? correctedSpelling(code) : undefined;
  return [foundSpelling ?? code, ...(corrected === undefined ? [] : [corrected])];
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
