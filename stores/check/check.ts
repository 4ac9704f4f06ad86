import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { CheckQuestion } from '#core/check-request';
import { connectionsFor } from '#core/code-forms';
import type { Fault } from '#core/marketplaces/index';
import { createCheckRequests } from '#stores/check/check-requests';
import { createCheckText } from '#stores/check/check-text';
import { createChosenConnection } from '#stores/check/chosen-connection';
import { type CheckEntry, newPendingCheck, type PendingCheck } from '#stores/check/pending-check';
import { useConnections } from '#stores/connections/connections';
import { latest } from '#stores/latest';
import { usePreferences } from '#stores/settings/preferences';

/** Returns the fault that the last check ended with. */
export function faultOf({ report, refreshFault }: PendingCheck): Fault | undefined {
  return refreshFault ?? (report?.outcome.ok === false ? report.outcome.fault : undefined);
}

/** Runs checks: text in, one pending check out for each code and connection. A new submission drops the one before. */
export const useCheck = defineStore('check', () => {
  const connections = useConnections();
  const preferences = usePreferences();
  const text = createCheckText();
  const { chosen, choose, include, connectionIds } = createChosenConnection();
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
    include(present);
    const ids = present.length > 0 ? present : connectionIds();
    const asked = ids.flatMap((id) => connections.find(id) ?? []);
    entries.value = text.readCodes().map((code) => ({
      code,
      pendingChecks: connectionsFor(code, asked).map(({ id }) => newPendingCheck(id, code)),
    }));
    await runInQueues(
      entries.value.flatMap(({ pendingChecks }) => pendingChecks),
      submission.isLatest,
    );
  }

  /** Asks each connection about one code after the other; no connection waits for the countdown of another. */
  async function runInQueues(
    submitted: readonly PendingCheck[],
    isLatest: () => boolean,
  ): Promise<void> {
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
      ticket: ticket.value,
      signal,
      question: questionOf(pendingCheck),
    });
  }

  /** Joins a check with those of the same code at other connections; undefined where there is none. */
  function questionOf(pendingCheck: PendingCheck): CheckQuestion | undefined {
    const entry = entries.value.find(({ pendingChecks }) => pendingChecks.includes(pendingCheck));
    if (entry === undefined) return undefined;
    return questionAbout((entry.question ??= crypto.randomUUID()), entry.pendingChecks);
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
    const question = questionAbout(crypto.randomUUID(), pendingChecks);
    const options = { fresh: true, ticket: ticket.value, signal, question };
    await Promise.all(pendingChecks.map((pendingCheck) => send(pendingCheck, options)));
  }

  /**
   * Repeats the checks that ended with this fault, once its cause is fixed.
   * @param at the connection where it is fixed; without it, every one
   */
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

function questionAbout(
  id: string,
  pendingChecks: readonly PendingCheck[],
): CheckQuestion | undefined {
  if (pendingChecks.length < 2) return undefined;
  return { id, asked: pendingChecks.map(({ connectionId }) => connectionId) };
}
