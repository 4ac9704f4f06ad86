import type { Sealed, SecretStore } from '#adapters/secrets/index';
import type {
  HistoryLookup,
  HistoryStore,
  NewEntry,
  SessionArea,
  SessionCache,
} from '#adapters/storage/worker/index';
import { createHistoryGap } from '#background/check/history-gap';
import {
  createOpenQuestions,
  questionForHistory,
  type QuestionPart,
} from '#background/check/questions';
import type { AuthorizedAccess } from '#background/seller/index';
import {
  type AnswerSummary,
  type CheckAnswer,
  type CheckQuestion,
  type CheckReport,
  type CheckRequest,
  type EarlierCheck,
  isNotFound,
  isTemporary,
  summariseAnswer,
} from '#core/check/index';
import { correctedSpelling, maskCode } from '#core/codes/index';
import type { Connection } from '#core/connections/index';
import type { HistoryEntry } from '#core/history/index';
import { omitUndefined, succeed } from '#core/result';
import { type HistorySettings, limitHistory } from '#core/preferences/index';

type RecordedRequest = Pick<CheckRequest, 'ticket' | 'question'>;
type BulkAccess = Pick<AuthorizedAccess, 'connection' | 'wasLocked'>;

interface HistoryDependencies {
  readonly store: HistoryStore;
  readonly secrets: Pick<SecretStore, 'sealCodes'>;
  /** Remembers a failure to store until it has been reported. */
  readonly session: SessionArea;
  readonly sessionCache: SessionCache;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Identifies an answer of a bulk check: the code as given, and the question. */
export interface BulkAnswerName {
  readonly code: string;
  readonly question: string;
  readonly connectionId: string;
}

export interface BulkAnswer {
  readonly jobId: string;
  readonly code: string;
  readonly question: CheckQuestion;
  /** The corrected spelling that was found; absent if the code was found as given, or not at all. */
  readonly foundSpelling?: string | undefined;
  readonly answer: AnswerSummary;
  readonly checkedAt: number;
}

/** The facts needed to record a check, read while the check is running. */
export interface KnownBefore extends HistoryLookup {
  readonly connectionName: string;
  /** The whole code, encrypted, if it is stored. */
  readonly whole: Sealed | undefined;
  /** Whether an earlier answer could not be stored and this has not been reported yet. */
  readonly hasGap: boolean;
}

export interface History {
  /**
   * Reads what the history knows about a code; undefined if the history is off. Call it when the check begins. A
   * storage failure never fails the check: it is treated as if the history were off, and the next check reports that
   * answers are missing.
   */
  lookUp(
    code: string,
    connection: Pick<Connection, 'name'> | undefined,
  ): Promise<KnownBefore | undefined>;
  /**
   * Starts storing a report's answer, and returns the report with what was known about the code before. The caller does
   * not wait for the storage. A report without an answer gets the last known one.
   * @param known the result of `lookUp`
   */
  record(
    report: CheckReport,
    known: KnownBefore | undefined,
    request: RecordedRequest,
  ): CheckReport;
  /**
   * Starts storing an answer that is given again. It is stored if another connection was asked about the code at the
   * same time, since the verdict depended on both answers.
   */
  repeat(report: CheckReport, known: KnownBefore | undefined, request: RecordedRequest): void;
  /**
   * Call it before writing rows whose answers are recorded later: if the worker is stopped in between, there is a gap.
   */
  expectBulk(): Promise<void>;
  /** Call it when every answer is recorded. */
  endBulk(): Promise<void>;
  /** Stores answers, unless the keys were locked in the meantime. */
  recordBulk(access: BulkAccess, answers: readonly BulkAnswer[]): Promise<void>;
  /** Records for stored not-founds that the key has worked since. */
  confirmBulk(answers: readonly BulkAnswerName[]): Promise<void>;
  /** Removes stored answers, for example because their key has been refused since. */
  takeBackBulk(answers: readonly BulkAnswerName[]): Promise<void>;
  /** Deletes a connection's entries, unless the agent's settings keep them. */
  forgetConnection(connectionId: string): Promise<void>;
  /**
   * Removes entries older than the settings allow (all of them if the history is off), and masks the codes that the
   * settings no longer keep whole.
   */
  prune(): Promise<void>;
}

/**
 * Creates the history. It stores answers, never faults; the settings decide whether codes are stored whole or masked.
 */
export function createHistory(dependencies: HistoryDependencies): History {
  const { store, secrets, now } = dependencies;
  /** Callers that share one check get the same report. For all but the first it counts as if it came from the cache. */
  const recorded = new WeakSet<CheckReport>();
  const questions = createOpenQuestions(dependencies.sessionCache, now);
  const gap = createHistoryGap(dependencies.session);

  /** A full disk must not fail the check; the next check reports the gap. */
  async function addOrNote(entries: Promise<readonly NewEntry[]>): Promise<void> {
    const added = await entries
      .then((ready) => (ready.length === 0 ? succeed(undefined) : store.add(ready)))
      .catch(() => undefined);
    if (added?.ok !== true) await gap.markGap();
  }

  /** If the storage fails, the entries just stay unchanged. */
  async function amend(
    answers: readonly BulkAnswerName[],
    edit: (entry: HistoryEntry) => HistoryEntry | undefined,
  ): Promise<void> {
    if (answers.length === 0) return;
    const named = async (): Promise<Parameters<HistoryStore['amend']>[0]> => {
      const ids = await store.idsOf(
        answers.map(({ code }) => ({ code: correctedSpelling(code) ?? code, spelling: code })),
      );
      return answers.map(({ question, connectionId }, at) => ({
        codeId: ids[at]?.codeId ?? '',
        question,
        connectionId,
      }));
    };
    await named()
      .then((names) => store.amend(names, edit))
      .catch(() => undefined);
  }

  async function lookUp(code: string, connectionName: string): Promise<KnownBefore | undefined> {
    const corrected = correctedSpelling(code);
    const spellings = [code, ...(corrected === undefined ? [] : [corrected])];
    const [known, hasGap] = await Promise.all([
      store.lookUp(corrected ?? code, spellings),
      gap.hasGap(),
    ]);
    if (known === undefined) return undefined;
    // This happens while the seller is asked, so that the entry is written before the agent reads the history.
    const [whole] = await sealCodes(secrets, [{ codeId: known.codeId, code }], known.settings);
    return { ...known, whole, connectionName, hasGap };
  }

  function keep(
    report: CheckReport,
    answer: CheckAnswer,
    isNew: boolean,
    known: KnownBefore,
    { ticket, question }: RecordedRequest,
  ): void {
    const part =
      question === undefined
        ? alone()
        : questionForHistory(question, known.entries, report.connectionId);
    // An answer that is given again gets the time at which it is shown again.
    const checkedAt = isNew ? report.checkedAt : now();
    const shared = omitUndefined({
      by: 'agent' as const,
      question: part.question,
      asked: part.asked,
      ticket: known.settings.tickets ? ticket : undefined,
      checkedAt,
    });
    const entry = omitUndefined({
      ...entryOf(report, answer, known),
      ...shared,
      kept: isNew ? undefined : (true as const),
    });
    if (isNew) void addOrNote(Promise.resolve([entry]));
    if (part.asked !== undefined)
      void addOrNote(questions.entriesToStore(entry, keptEntries(part, shared)));
  }

  return {
    lookUp: (code, connection) =>
      lookUp(code, connection?.name ?? '').catch(async () => {
        await gap.markGap();
        return undefined;
      }),

    record(report, known, request) {
      const { outcome } = report;
      if (known === undefined) return report;
      if (!outcome.ok) return isTemporary(outcome.fault) ? withLastKnown(report, known) : report;
      if (known.hasGap) void gap.clearGap();
      const isNew = !report.cached && !recorded.has(report);
      recorded.add(report);
      keep(report, outcome.value, isNew, known, request);
      const reported: CheckReport = known.hasGap ? { ...report, unrecorded: true } : report;
      const earlier = earlierCheck(report, known, request.ticket);
      return earlier === undefined ? reported : { ...reported, earlier };
    },

    repeat(report, known, request) {
      if (known !== undefined && report.outcome.ok)
        keep(report, report.outcome.value, false, known, request);
    },

    expectBulk: () => gap.expectBulk(),
    endBulk: () => gap.endBulk(),
    recordBulk: (access, answers) => addOrNote(bulkEntries(dependencies, access, answers)),
    confirmBulk: (answers) => amend(answers, withWorkingKey),
    takeBackBulk: (answers) => amend(answers, () => undefined),

    async forgetConnection(connectionId) {
      if ((await store.settings()).goesWithConnection) await store.forgetConnection(connectionId);
    },

    async prune() {
      // A check that was running while the history was switched off may have left an entry.
      await limitHistory(store, await store.settings(), now());
    },
  };
}

/** Encrypts codes if the settings keep them whole for some days. */
async function sealCodes(
  secrets: HistoryDependencies['secrets'],
  codes: readonly { readonly codeId: string; readonly code: string }[],
  { codes: kept, wholeDays }: HistorySettings,
): Promise<readonly Sealed[]> {
  if (kept === 'whole' || wholeDays === 0) return [];
  return (await secrets.sealCodes(codes)) ?? [];
}

function withWorkingKey(entry: HistoryEntry): HistoryEntry {
  const { answer } = entry;
  return answer.kind === 'not-found' ? { ...entry, answer: { ...answer, key: 'good' } } : entry;
}

type SharedMembers = Pick<NewEntry, 'by' | 'question' | 'asked' | 'jobId' | 'ticket' | 'checkedAt'>;

function entryOf(
  { connectionId, code, foundSpelling }: CheckReport,
  answer: CheckAnswer,
  { settings, codeId, spellingIds, connectionName, whole }: KnownBefore,
): Omit<NewEntry, keyof SharedMembers> {
  return omitUndefined({
    codeId,
    connectionId,
    connectionName,
    spellingId: spellingIds.get(foundSpelling ?? code) ?? '',
    code: settings.codes === 'whole' ? code : maskCode(code),
    answer: summariseAnswer(answer),
    sealed: whole,
  });
}

/** Makes the entries of the earlier answers that count together with a new one. */
function keptEntries({ reused }: QuestionPart, shared: SharedMembers): NewEntry[] {
  return reused.map(({ id: _id, note: _note, ticket: _ticket, jobId: _jobId, ...entry }) => ({
    ...entry,
    ...shared,
    kept: true,
  }));
}

/** Returns the question of a check at a single connection. */
function alone(): QuestionPart {
  return { question: crypto.randomUUID(), reused: [] };
}

/** Makes the entries of a bulk check; none if the history is off or the keys were locked in the meantime. */
async function bulkEntries(
  { store, secrets }: HistoryDependencies,
  { connection: { id, name }, wasLocked }: BulkAccess,
  answers: readonly BulkAnswer[],
): Promise<readonly NewEntry[]> {
  const settings = await store.settings();
  if (settings.days === 0) return [];
  const ids = await store.idsOf(
    answers.map(({ code, foundSpelling }) => ({
      code: correctedSpelling(code) ?? code,
      spelling: foundSpelling ?? code,
    })),
  );
  const whole = await sealCodes(
    secrets,
    answers.map(({ code }, at) => ({ codeId: ids[at]?.codeId ?? '', code })),
    settings,
  );
  const entries = answers.map(async (bulkAnswer, at): Promise<NewEntry[]> => {
    const { code, jobId, checkedAt, answer } = bulkAnswer;
    const named = ids[at];
    if (named === undefined) return [];
    const part = questionForHistory(
      bulkAnswer.question,
      await entriesBefore(store, bulkAnswer),
      id,
    );
    const { question, asked } = part;
    const shared = omitUndefined({ by: 'bulk' as const, question, asked, jobId, checkedAt });
    const entry = omitUndefined({
      ...named,
      ...shared,
      code: settings.codes === 'whole' ? code : maskCode(code),
      connectionId: id,
      connectionName: name,
      answer,
      sealed: whole[at],
    });
    return [entry, ...keptEntries(part, shared)];
  });
  const ready = (await Promise.all(entries)).flat();
  return wasLocked() ? [] : ready;
}

/** Returns the stored entries of a code, newest first, if earlier answers count. */
async function entriesBefore(
  store: HistoryStore,
  { code, question }: BulkAnswer,
): Promise<readonly HistoryEntry[]> {
  if (question.kept.length === 0) return [];
  return (await store.lookUp(correctedSpelling(code) ?? code, []))?.entries ?? [];
}

/** Returns the connection's last answer before a report, preferably for the same spelling. */
function earlierCheck(
  report: CheckReport,
  { entries, settings, spellingIds }: KnownBefore,
  ticket: string | undefined,
): EarlierCheck | undefined {
  const { connectionId, checkedAt } = report;
  const older = entries.filter(
    (entry) => entry.connectionId === connectionId && entry.checkedAt < checkedAt,
  );
  const checked = new Set(checkedSpellings(report).map((spelling) => spellingIds.get(spelling)));
  const same = older.find((entry) => checked.has(entry.spellingId ?? ''));
  const before = same ?? older[0];
  return (
    before && {
      checkedAt: before.checkedAt,
      answer: before.answer,
      tickets: otherTickets(entries, settings, ticket),
      sameSpelling: same !== undefined,
    }
  );
}

/** Adds to a report without an answer the connection's last answer about the code, preferably for the same spelling. */
function withLastKnown(report: CheckReport, { entries, spellingIds }: KnownBefore): CheckReport {
  const here = entries.filter(({ connectionId }) => connectionId === report.connectionId);
  const spellingId = spellingIds.get(report.code);
  const last = here.find((entry) => entry.spellingId === spellingId) ?? here[0];
  if (last === undefined) return report;
  return { ...report, lastKnown: { checkedAt: last.checkedAt, answer: last.answer } };
}

/** Lists the spellings that the answer is about. A not-found is also about the corrected spelling. */
function checkedSpellings({ code, foundSpelling, outcome }: CheckReport): string[] {
  const corrected = isNotFound(outcome) ? correctedSpelling(code) : undefined;
  return [foundSpelling ?? code, ...(corrected === undefined ? [] : [corrected])];
}

/** Lists the addresses of other tickets with a code, latest first. */
function otherTickets(
  entries: readonly HistoryEntry[],
  settings: HistorySettings,
  ticket: string | undefined,
): string[] {
  if (!settings.tickets) return [];
  const addresses = entries.flatMap((entry) => entry.ticket ?? []);
  return [...new Set(addresses.filter((address) => address !== ticket))];
}
