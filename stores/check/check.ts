import { defineStore } from 'pinia';
import { type ComputedRef, type Ref, computed, ref, shallowRef } from 'vue';
import type { CheckReport } from '#core/check/index';
import type { ClassifiedInput, OddHint } from '#core/codes/classify-input';
import { type Fault, searchIn } from '#core/marketplaces/index';
import { delay } from '#core/time/delay';
import { minuteMs } from '#core/time/units';
import { useClock, askPort, clockPort, usePort } from '#stores/ports';
import { type CheckEntry, newPendingCheck, type PendingCheck } from '#stores/check/pending-check';
import { everyConnection, useConnections } from '#stores/connections/connections';
import { type LatestSeries, latest } from '#stores/latest';
import { usePreferences } from '#stores/settings/preferences';
import { useExpectedItem } from '#stores/ticket/expected-item';
import { omitUndefined } from '#core/result';
import { codePatternsOf, connectionsFor } from '#core/code-forms';
import type { CheckQuestion } from '#core/check-request';

/** Returns the fault that the last check ended with. */
export function faultOf({ report, refreshFault }: PendingCheck): Fault | undefined {
  return refreshFault ?? (report?.outcome.ok === false ? report.outcome.fault : undefined);
}

/** Runs checks: text in, one pending check out for each code and connection. A new submission drops the one before. */
export const useCheck = defineStore('check', () => {
  const connections = useConnections();
  const preferences = usePreferences();
  const text = createCheckText();
  const { chosen, choose, cover, connectionIds } = createChosenConnection();
  const { send, stop } = createCheckRequests();

  const entries = ref<CheckEntry[]>([]);
  /** Address of the ticket that the field's text was read from; the worker keeps it only where the agent allows. */
  const ticket = ref<string>();
  const submissions = latest();
  /** Aborts with the submission under way. */
  let { signal } = submissions.begin();

  function take(input: string, pasted: boolean, from?: string): void {
    reset();
    ticket.value = from;
    text.set(input, pasted);
  }

  function clear(): void {
    take('', false);
  }

  /** Tells whether what was pasted is to be checked at once: one code, and the agent has not switched that off. */
  async function isCheckedAtOnce(): Promise<boolean> {
    await Promise.all([preferences.ready, text.ready]);
    return (
      preferences.current.selectionAtOnce && connections.list?.length !== 0 && text.isOneCode()
    );
  }

  /** Drops the reports and whatever is under way: they belong to the text that was submitted. */
  function reset(): void {
    submissions.cancel();
    // An empty list in place of another would have every view drawn anew, before the request leaves.
    if (entries.value.length > 0) entries.value = [];
    text.clearHints();
  }

  /** Shows codes with the answers they had before, and sends no request. */
  function show(shown: readonly CheckEntry[], from?: string): void {
    take(shown.map(({ code }) => code).join('\n'), shown.length > 1, from);
    ({ signal } = submissions.begin());
    entries.value = [...shown];
  }

  /**
   * Checks the codes in the field. Settles when every report is in or waits for the agent.
   * @param only the connections to ask instead of the chosen ones
   */
  async function submit(only: readonly string[] = []): Promise<void> {
    reset();
    const submission = submissions.begin();
    ({ signal } = submission);
    if (connections.list === undefined) await connections.load();
    await Promise.all([preferences.ready, text.ready]);
    if (!submission.isLatest()) return;

    const present = only.filter((id) => connections.find(id) !== undefined);
    cover(present);
    const ids = present.length > 0 ? present : connectionIds();
    const asked = ids.flatMap((id) => connections.find(id) ?? []);
    entries.value = text.readCodes().map((code) => ({
      code,
      pendingChecks: connectionsFor(code, asked).map(({ id }) => newPendingCheck(id, code)),
    }));
    const submitted = entries.value.flatMap(({ pendingChecks }) => pendingChecks);
    let isOver = false;
    /** Asks one connection about one code after the other; no other waits for its countdown. */
    const runInTurn = async (pendingChecks: readonly PendingCheck[]): Promise<void> => {
      for (const pendingCheck of pendingChecks) {
        if (isOver || !submission.isLatest()) return;
        await run(pendingCheck);
      }
    };
    const queues = Map.groupBy(submitted, ({ connectionId }) => connectionId);
    try {
      await Promise.all([...queues.values()].map(runInTurn));
    } finally {
      // A request that failed ends the submission: nobody asks about the codes after it.
      isOver = true;
      for (const pendingCheck of submitted)
        if (pendingCheck.state === 'waiting') pendingCheck.state = 'settled';
    }
  }

  function run(pendingCheck: PendingCheck, fresh = false): Promise<void> {
    return send(pendingCheck, {
      fresh,
      ticket: ticket.value,
      signal,
      question: questionOf(pendingCheck),
    });
  }

  /** Joins a check with those of the same code at other connections; undefined where there is none. */
  function questionOf(pendingCheck: PendingCheck): CheckQuestion | undefined {
    const entry = entries.value.find(({ pendingChecks }) => pendingChecks.includes(pendingCheck));
    if (entry === undefined) return undefined;
    return joined((entry.question ??= crypto.randomUUID()), entry.pendingChecks);
  }

  /** Checks a code at the connections that were not asked yet; the choice of connection stays. */
  async function askOthers({ code, pendingChecks }: CheckEntry): Promise<void> {
    const asked = new Set(pendingChecks.map(({ connectionId }) => connectionId));
    for (const { id } of connectionsFor(code, connections.list ?? [])) {
      if (!asked.has(id)) pendingChecks.push(newPendingCheck(id, code));
    }
    await Promise.all(
      pendingChecks
        .filter(({ connectionId }) => !asked.has(connectionId))
        .map((pendingCheck) => run(pendingCheck)),
    );
  }

  /** Puts another spelling in the place of a code in the field, and checks again. */
  async function correct(code: string, spelling: string): Promise<void> {
    await text.ready;
    text.replace(code, spelling);
    await submit();
  }

  /** Checks one code again and passes over the cached replies. */
  async function refresh(...pendingChecks: PendingCheck[]): Promise<void> {
    const question = joined(crypto.randomUUID(), pendingChecks);
    const options = { fresh: true, ticket: ticket.value, signal, question };
    await Promise.all(pendingChecks.map((pendingCheck) => send(pendingCheck, options)));
  }

  /** Repeats the checks that ended with this fault, once its cause is fixed. */
  async function retryFaults(kind: Fault['kind'], connectionId?: string): Promise<void> {
    const stopped = entries.value
      .flatMap(({ pendingChecks }) => pendingChecks)
      .filter(
        (pendingCheck) =>
          (connectionId ?? pendingCheck.connectionId) === pendingCheck.connectionId &&
          faultOf(pendingCheck)?.kind === kind,
      );
    await Promise.all(
      stopped.map((pendingCheck) => run(pendingCheck, pendingCheck.refreshFault !== undefined)),
    );
  }

  const { draft, found, refusal, odd } = text;
  return {
    draft,
    entries,
    found,
    refusal,
    odd,
    chosen,
    choose,
    take,
    clear,
    reset,
    isCheckedAtOnce,
    show,
    submit,
    askOthers,
    correct,
    refresh,
    stop,
    retryFaults,
  };
});

function joined(id: string, pendingChecks: readonly PendingCheck[]): CheckQuestion | undefined {
  if (pendingChecks.length < 2) return undefined;
  return { id, asked: pendingChecks.map(({ connectionId }) => connectionId) };
}

/** How often a check is repeated automatically, and how far ahead at most. */
const maxAutomaticRetries = 3;
const maxAutomaticWaitMs = 15 * minuteMs;

interface CheckOptions {
  /** Passes over cached replies. */
  readonly fresh: boolean;
  /** Address of the ticket that the code was read from. */
  readonly ticket: string | undefined;
  /** Ends the check, its waits included. */
  readonly signal: AbortSignal;
  /** Joins it with the checks of the same code at other connections. */
  readonly question: CheckQuestion | undefined;
}

/** Sends one check to the worker, again when its fault says when, and writes what happens into the pending check. */
export type SendCheck = (pendingCheck: PendingCheck, options: CheckOptions) => Promise<void>;

/** Takes a report over. One without an answer never replaces an answer: it only says why that was not refreshed. */
function settleWith(pendingCheck: PendingCheck, report: CheckReport): void {
  const { outcome } = report;
  const keepsAnswer = !outcome.ok && pendingCheck.report?.outcome.ok === true;
  if (!keepsAnswer) pendingCheck.report = report;
  pendingCheck.refreshFault = keepsAnswer ? outcome.fault : undefined;
  pendingCheck.state = 'settled';
  pendingCheck.step = undefined;
}

/**
 * Creates what sends checks to the worker. Call it in a store's setup. A check that is sent again makes the earlier one
 * stale.
 * @throws when there is no worker to ask
 */
function createCheckRequests(): {
  readonly send: SendCheck;
  /** Stops a check that continues by itself. What it found so far is shown. */
  readonly stop: (pendingCheck: PendingCheck) => void;
} {
  const ask = usePort(askPort);
  const expectedItem = useExpectedItem();
  const now = usePort(clockPort);
  const pageClock = useClock();
  const series = new WeakMap<PendingCheck, LatestSeries>();

  function seriesOf(pendingCheck: PendingCheck): LatestSeries {
    const present = series.get(pendingCheck) ?? latest();
    series.set(pendingCheck, present);
    return present;
  }

  const send: SendCheck = async (pendingCheck, { fresh, ticket, question, signal: outer }) => {
    const { isLatest, signal } = seriesOf(pendingCheck).begin(outer);
    const { code, connectionId } = pendingCheck;
    const { current: expected } = expectedItem;
    const expectedItemId = expected?.connectionId === connectionId ? expected.itemId : undefined;
    const body = omitUndefined({
      code,
      connectionId,
      fresh,
      withProgress: true,
      ticket,
      expectedItemId,
      question,
    });
    let asked = -1;

    for (let retries = 0; ; retries += 1) {
      pendingCheck.state = 'asking';
      pendingCheck.nextRunAt = undefined;
      const report = await ask('check', body).catch((error: unknown) => {
        if (isLatest()) pendingCheck.state = 'settled';
        throw error;
      });
      if (!isLatest()) return;
      pageClock.refresh();
      const fault = report.outcome.ok ? undefined : report.outcome.fault;
      const nextRunAt = fault && 'retryAt' in fault ? fault.retryAt : undefined;
      const search = searchIn(fault);
      const isAhead = search !== undefined && search.asked > asked;
      asked = search?.asked ?? asked;
      if (isAhead) {
        // A check that makes progress is not a retry.
        retries = -1;
        if (nextRunAt !== undefined && nextRunAt <= now()) {
          pendingCheck.step = report;
          continue;
        }
      }
      settleWith(pendingCheck, report);
      if (nextRunAt === undefined || retries === maxAutomaticRetries) return;
      if (nextRunAt - now() > maxAutomaticWaitMs) return;
      pendingCheck.nextRunAt = nextRunAt;
      await delay(nextRunAt - now(), signal);
      if (!isLatest()) return;
    }
  };

  function stop(pendingCheck: PendingCheck): void {
    seriesOf(pendingCheck).cancel();
    if (pendingCheck.step !== undefined) settleWith(pendingCheck, pendingCheck.step);
    pendingCheck.nextRunAt = undefined;
  }

  return { send, stop };
}

/** Tells why nothing can be checked in the field's text. */
export type InputRefusal = 'nothing' | 'license' | 'too-long';

/** Holds the text in the code field and the codes in it. */
export interface CheckText {
  readonly draft: Ref<string>;
  /** How many codes the pasted text was folded to; 0 when it was not. */
  readonly found: ComputedRef<number>;
  readonly refusal: Ref<InputRefusal | undefined>;
  /** Why the one code in the text is not in a common form. */
  readonly odd: Ref<OddHint | undefined>;
  /** Settles once codes can be found in a text; until then a text is only taken. */
  readonly ready: Promise<void>;
  /** Replaces the text. A pasted ticket folds to the codes in it, one on each line. */
  set(text: string, pasted: boolean): void;
  /** Puts another spelling in the place of a code. The text becomes its codes, one on each line. Call it when `ready`. */
  replace(code: string, spelling: string): void;
  /** Returns the codes to check; with none, `refusal` says why. Call it when `ready`. */
  readCodes(): readonly string[];
  /** Tells whether the text holds one code, in a form that codes have. Call it when `ready`. */
  isOneCode(): boolean;
  /** Removes the hints about the text. */
  clearHints(): void;
}

/** Creates the text of the code field, empty at first. Call it in a store's setup. */
function createCheckText(): CheckText {
  const connections = useConnections();
  const draft = ref('');
  const refusal = ref<InputRefusal>();
  const odd = ref<OddHint>();
  const folded = shallowRef<{
    readonly text: string;
    readonly codes: readonly string[];
    /** The hint about a single odd code. */
    readonly hint?: OddHint;
  }>();

  const found = computed(() =>
    folded.value?.text === draft.value ? folded.value.codes.length : 0,
  );

  // Loaded beside the page: the field takes text without it.
  const module = import('#core/codes/classify-input');
  let classifyInput: Awaited<typeof module>['classifyInput'] | undefined;
  const ready = module.then((loaded) => {
    classifyInput = loaded.classifyInput;
  });

  /** Returns undefined until `ready`. */
  function classify(text: string): ClassifiedInput | undefined {
    const patterns = codePatternsOf(connections.list ?? []);
    return classifyInput?.(text, { patterns });
  }

  function set(text: string, pasted: boolean): void {
    draft.value = text;
    if (!pasted) return;
    const input = classify(text);
    if (input === undefined) {
      void ready.then(() => {
        if (draft.value === text) set(text, pasted);
      });
    } else if (input.kind === 'codes') fold(input.codes.map(({ code }) => code));
    else if (input.kind === 'odd') fold([input.code], input.hint);
  }

  function fold(codes: readonly string[], hint?: OddHint): void {
    draft.value = codes.join('\n');
    folded.value = omitUndefined({ text: draft.value, codes, hint });
  }

  function replace(code: string, spelling: string): void {
    fold(readCodes().map((each) => (each === code ? spelling : each)));
  }

  function readCodes(): readonly string[] {
    if (draft.value === folded.value?.text) {
      odd.value = folded.value.hint;
      return folded.value.codes;
    }
    const input = classify(draft.value);
    if (input?.kind === 'codes') return input.codes.map(({ code }) => code);
    if (input?.kind === 'odd') {
      odd.value = input.hint;
      return [input.code];
    }
    if (input !== undefined && input.kind !== 'empty') refusal.value = input.kind;
    return [];
  }

  function isOneCode(): boolean {
    const input = classify(draft.value);
    // A word without a digit may be anything.
    if (input?.kind === 'odd') return /\d/.test(input.code);
    return input?.kind === 'codes' && input.codes.length === 1;
  }

  function clearHints(): void {
    refusal.value = undefined;
    odd.value = undefined;
  }

  return { draft, found, refusal, odd, ready, set, replace, readCodes, isOneCode, clearHints };
}

/** Holds the connection that codes are checked at: every one, unless the agent has chosen. */
export interface ChosenConnection {
  /** A connection's id, `everyConnection`, or empty when there is no connection. */
  readonly chosen: ComputedRef<string>;
  /** Chooses a connection and remembers it for the next time. */
  readonly choose: (id: string) => void;
  /** Widens the choice so that it covers these connections; the choice that is remembered stays. */
  readonly cover: (ids: readonly string[]) => void;
  readonly connectionIds: () => readonly string[];
}

/** Creates the choice of a connection, which begins with the remembered one. Call it in a store's setup. */
function createChosenConnection(): ChosenConnection {
  const connections = useConnections();
  const preferences = usePreferences();
  const choice = ref<string>();

  const chosen = computed(() => {
    const list = connections.list ?? [];
    const wanted = choice.value ?? preferences.current.connection;
    if (list.some(({ id }) => id === wanted)) return wanted;
    return list.length > 1 ? everyConnection : (list[0]?.id ?? '');
  });

  return {
    chosen,
    choose(id) {
      choice.value = id;
      void preferences.change({ connection: id });
    },
    cover(ids) {
      const [first = ''] = ids;
      if (chosen.value === everyConnection || ids.every((id) => id === chosen.value)) return;
      choice.value = ids.length === 1 ? first : everyConnection;
    },
    connectionIds() {
      if (chosen.value === everyConnection) return (connections.list ?? []).map(({ id }) => id);
      return chosen.value === '' ? [] : [chosen.value];
    },
  };
}
