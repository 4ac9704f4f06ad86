import { type Ref, ref, shallowRef } from 'vue';

import { type CheckQuestion, questionAbout } from '#core/check/index';
import { connectionsFor } from '#core/connections/index';
import type { Fault } from '#core/marketplaces/index';
import { createCheckRequests } from '#stores/check/check-requests';
import {
  type CheckEntry,
  eachOnce,
  faultOf,
  hasReport,
  newPendingCheck,
  type PendingCheck,
} from '#stores/check/pending-check';
import { useConnections } from '#stores/connections/connections';
import { latest, type LatestRequest } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';

/** The codes that were submitted, and runs their checks. */
export interface SubmittedChecks {
  readonly entries: Ref<CheckEntry[]>;
  /** The codes that had an answer before others were submitted: the latest first, each once. */
  readonly past: Ref<readonly CheckEntry[]>;
  /** Replaces the entries by those that the agent looks at from now on. */
  readonly show: (shown: readonly CheckEntry[]) => void;
  /** @param address of the ticket that the text was read from; the worker keeps it only where the agent allows */
  readonly setTicket: (address: string | undefined) => void;
  /** Begins a submission, which ends the one before. */
  readonly begin: () => Pick<LatestRequest, 'isLatest'>;
  /** Drops the entries, and ends the submission under way. */
  readonly drop: () => void;
  /** Asks each connection about one code after the other; no connection waits for the countdown of another. */
  readonly runAll: (isLatest: () => boolean) => Promise<void>;
  /** Checks a code at the connections that were not asked yet; the choice of connection stays. */
  readonly askOthers: (entry: CheckEntry) => Promise<void>;
  /** Checks one code again and passes over the cached replies. */
  readonly refresh: (...pendingChecks: PendingCheck[]) => Promise<void>;
  /** Stops waiting for a check. What it found so far is shown. */
  readonly stop: (pendingCheck: PendingCheck) => void;
  /** Asks once more where the agent stopped waiting, or a connection failed. */
  readonly resume: (entry: CheckEntry) => Promise<void>;
  /**
   * Repeats the checks that ended with this fault, once its cause is fixed.
   * @param at the connection where it is fixed; without it, every one
   */
  readonly retryFaults: (kind: Fault['kind'], at?: string) => Promise<void>;
}

/** Creates the submitted checks, none at first. Call it in a store's setup. */
export function createSubmittedChecks(): SubmittedChecks {
  const connections = useConnections();
  const { send, stop } = createCheckRequests();
  const now = usePort(clockPort);
  const entries = ref<CheckEntry[]>([]);
  const past = shallowRef<readonly CheckEntry[]>([]);
  const submissions = latest();
  /** Aborts with the submission under way. */
  let { signal } = submissions.begin();
  let ticket: string | undefined;

  function setTicket(address: string | undefined): void {
    ticket = address;
  }

  function begin(): Pick<LatestRequest, 'isLatest'> {
    const submission = submissions.begin();
    ({ signal } = submission);
    return submission;
  }

  function drop(): void {
    submissions.cancel();
    // An empty list in place of another would have every view drawn anew, before the request leaves.
    if (entries.value.length === 0) return;
    past.value = eachOnce(entries.value.filter(hasReport), past.value);
    entries.value = [];
  }

  function show(shown: readonly CheckEntry[]): void {
    entries.value = shown.map((entry) => ({ ...entry, lookedUpAt: now() }));
  }

  async function runAll(isLatest: () => boolean): Promise<void> {
    const submitted = entries.value.flatMap(({ pendingChecks }) => pendingChecks);
    let isOver = false;
    const runQueue = async (queue: readonly PendingCheck[]): Promise<void> => {
      for (const pendingCheck of queue) {
        if (isOver || !isLatest()) return;
        await run(pendingCheck);
      }
    };
    const queues = Map.groupBy(submitted, ({ connectionId }) => connectionId);
    try {
      await Promise.all([...queues.values()].map(runQueue));
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
      ticket,
      signal,
      question: questionOf(pendingCheck),
    });
  }

  /** Joins a check with those of the same code at other connections. */
  function questionOf(pendingCheck: PendingCheck): CheckQuestion | undefined {
    const entry = entryOf(pendingCheck);
    return (
      entry &&
      questionAbout(
        (entry.question ??= crypto.randomUUID()),
        entry.pendingChecks.map(({ connectionId, report }) => ({ ...report, connectionId })),
      )
    );
  }

  function entryOf(pendingCheck: PendingCheck | undefined): CheckEntry | undefined {
    return entries.value.find(({ pendingChecks }) =>
      pendingChecks.some((each) => each === pendingCheck),
    );
  }

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

  async function refresh(...pendingChecks: PendingCheck[]): Promise<void> {
    const entry = entryOf(pendingChecks[0]);
    if (entry !== undefined)
      Object.assign(entry, { question: crypto.randomUUID(), lookedUpAt: now() });
    await Promise.all(pendingChecks.map((pendingCheck) => run(pendingCheck, true)));
  }

  async function resume({ pendingChecks }: CheckEntry): Promise<void> {
    await Promise.all(
      pendingChecks.filter(({ report }) => report?.outcome.ok !== true).map((each) => run(each)),
    );
  }

  async function retryFaults(kind: Fault['kind'], at?: string): Promise<void> {
    const stopped = entries.value
      .flatMap(({ pendingChecks }) => pendingChecks)
      .filter(
        (pendingCheck) =>
          faultOf(pendingCheck)?.kind === kind &&
          (at === undefined || pendingCheck.connectionId === at),
      );
    await Promise.all(
      stopped.map((pendingCheck) => run(pendingCheck, pendingCheck.refreshFault !== undefined)),
    );
  }

  return {
    entries,
    past,
    show,
    setTicket,
    begin,
    drop,
    runAll,
    askOthers,
    refresh,
    stop,
    resume,
    retryFaults,
  };
}
