import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { FaultKind } from '#core/seller/fault';
import { createCheckRequests } from '#stores/check/check-requests';
import { createCheckText } from '#stores/check/check-text';
import { createChosenConnection } from '#stores/check/chosen-connection';
import { faultOf, newPendingCheck, type PendingCheck } from '#stores/check/pending-check';
import { useConnections } from '#stores/connections/connections';
import { latest } from '#stores/latest';
import { usePreferences } from '#stores/settings/preferences';

export interface CheckEntry {
  readonly code: string;
  readonly pendingChecks: PendingCheck[];
}

/** Runs checks: text in, one pending check out for each code and connection. A new submission drops the one before. */
export const useCheck = defineStore('check', () => {
  const connections = useConnections();
  const preferences = usePreferences();
  const text = createCheckText();
  const { chosen, choose, cover, connectionIds } = createChosenConnection();
  const send = createCheckRequests();

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

  /** Drops the reports and whatever is under way: they belong to the text that was submitted. */
  function reset(): void {
    submissions.cancel();
    // An empty list in place of another would have every view drawn anew, before the request leaves.
    if (entries.value.length > 0) entries.value = [];
    text.clearHints();
  }

  /** Shows a code with the answers it had before, and asks nobody. */
  function show(entry: CheckEntry): void {
    take(entry.code, false);
    ({ signal } = submissions.begin());
    entries.value = [entry];
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
    entries.value = text.readCodes().map((code) => ({
      code,
      pendingChecks: ids.map((connectionId) => newPendingCheck(connectionId, code)),
    }));
    const submitted = entries.value.map(({ pendingChecks }) => pendingChecks);
    try {
      for (const pendingChecks of submitted) {
        await Promise.all(pendingChecks.map((pendingCheck) => run(pendingCheck)));
        if (!submission.isLatest()) return;
      }
    } finally {
      // A request that failed ends the submission: nobody asks about the codes after it.
      for (const pendingCheck of submitted.flat())
        if (pendingCheck.state === 'waiting') pendingCheck.state = 'settled';
    }
  }

  function run(pendingCheck: PendingCheck, fresh = false): Promise<void> {
    return send(pendingCheck, { fresh, ticket: ticket.value, signal });
  }

  /** Checks a code at the connections that were not asked yet; the choice of connection stays. */
  async function askOthers({ code, pendingChecks }: CheckEntry): Promise<void> {
    const asked = new Set(pendingChecks.map(({ connectionId }) => connectionId));
    for (const { id } of connections.list ?? []) {
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

  /** Checks again and passes over the cached reply. */
  async function refresh(pendingCheck: PendingCheck): Promise<void> {
    await run(pendingCheck, true);
  }

  /** Repeats the checks that ended with this fault, after its cause was mended. */
  async function retryFaults(kind: FaultKind, connectionId?: string): Promise<void> {
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
    show,
    submit,
    askOthers,
    correct,
    refresh,
    retryFaults,
  };
});
