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

/** The submitted codes, and the running of their checks. */
export interface SubmittedChecks {
  readonly entries: Ref<CheckEntry[]>;
  /** The distinct earlier codes that had an answer, newest first. */
  readonly past: Ref<readonly CheckEntry[]>;
  /** Replaces the shown entries. */
  readonly show: (shown: readonly CheckEntry[]) => void;
  /** @param address of the ticket that the text was read from; the worker stores it only if the agent allows that */
  readonly setTicket: (address: string | undefined) => void;
  /** Begins a submission and ends the previous one. */
  readonly begin: () => Pick<LatestRequest, 'isLatest'>;
  /** Discards the entries, and ends the present submission. */
  readonly drop: () => void;
  /**
   * Checks the codes one after the other at each connection, first those that had an answer a moment ago. Connections do
   * not wait for each other's countdowns.
   */
  readonly runAll: (isLatest: () => boolean) => Promise<void>;
  /** Checks a code at the connections that were not asked yet, without changing the choice of connection. */
  readonly askOthers: (entry: CheckEntry) => Promise<void>;
  /** Checks one code again, bypassing the cache. */
  readonly refresh: (...pendingChecks: PendingCheck[]) => Promise<void>;
  /** Stops waiting for a check, and shows what it has found so far. */
  readonly stop: (pendingCheck: PendingCheck) => void;
  /** Asks again the connections for which the agent stopped waiting, or that failed. */
  readonly resume: (entry: CheckEntry) => Promise<void>;
  /**
   * Repeats the checks that ended with this fault, once its cause is fixed.
   * @param at the connection whose cause is fixed; by default all
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
  /** Aborted when the present submission ends. */
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
    // Assigning a new empty array would redraw every view before the request is sent.
    if (entries.value.length === 0) return;
    past.value = eachOnce(entries.value.filter(hasReport), past.value);
    entries.value = [];
  }

  function show(shown: readonly CheckEntry[]): void {
    entries.value = shown.map((entry) => ({ ...entry, lookedUpAt: now() }));
  }

  /** Tells whether the worker may still have the answer: such a code must not wait behind a slow one. */
  function mayBeKept({ code }: PendingCheck): boolean {
    return past.value.some((entry) => entry.code === code);
  }

  async function runAll(isLatest: () => boolean): Promise<void> {
    const pending = entries.value.flatMap(({ pendingChecks }) => pendingChecks);
    const submitted = pending.toSorted((one, other) => +mayBeKept(other) - +mayBeKept(one));
    let isOver = false;
    const runQueue = async (queue: readonly PendingCheck[]): Promise<void> => {
      for (const pendingCheck of queue) {
        if (isOver || !isLatest()) return;
        // The agent may have stopped it before its turn.
        if (pendingCheck.state === 'waiting') await run(pendingCheck);
      }
    };
    const queues = Map.groupBy(submitted, ({ connectionId }) => connectionId);
    try {
      await Promise.all([...queues.values()].map(runQueue));
    } finally {
      // A failed request ends the submission, so the remaining codes are not checked.
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
