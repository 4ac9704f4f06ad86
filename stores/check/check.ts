import { defineStore } from 'pinia';

import { connectionsFor } from '#core/connections/index';
import { createCheckText } from '#stores/check/check-text';
import { createChosenConnection } from '#stores/check/chosen-connection';
import { type CheckEntry, newPendingCheck } from '#stores/check/pending-check';
import { createSubmittedChecks } from '#stores/check/submitted-checks';
import { useConnections } from '#stores/connections/connections';
import { usePreferences } from '#stores/settings/preferences';

/** Runs checks: text in, one pending check out for each code and connection. A new submission drops the one before. */
export const useCheck = defineStore('check', () => {
  const connections = useConnections();
  const preferences = usePreferences();
  const text = createCheckText();
  const { chosen, choose, include, connectionIds } = createChosenConnection();
  const submitted = createSubmittedChecks();
  const { entries, past, askOthers, refresh, stop, resume, retryFaults } = submitted;

  function fill(input: string, pasted: boolean, from?: string): void {
    reset();
    submitted.setTicket(from);
    text.set(input, pasted);
  }

  function clear(): void {
    fill('', false);
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
    submitted.drop();
    text.clearHints();
  }

  /** Shows codes with the answers they had before, and sends no request. */
  function show(shown: readonly CheckEntry[], from?: string): void {
    fill(shown.map(({ code }) => code).join('\n'), shown.length > 1, from);
    submitted.begin();
    submitted.show(shown);
  }

  /**
   * Checks the codes in the field. Settles when every report is in or waits for the agent.
   * @param only the connections to ask instead of the chosen ones
   */
  async function submit(only: readonly string[] = []): Promise<void> {
    reset();
    const { isLatest } = submitted.begin();
    if (connections.list === undefined) await connections.load();
    await Promise.all([preferences.ready, text.ready]);
    if (!isLatest()) return;

    const present = only.filter((id) => connections.find(id) !== undefined);
    include(present);
    const ids = present.length > 0 ? present : connectionIds();
    const asked = ids.flatMap((id) => connections.find(id) ?? []);
    submitted.show(
      text.readCodes().map((code) => ({
        code,
        pendingChecks: connectionsFor(code, asked).map(({ id }) => newPendingCheck(id, code)),
      })),
    );
    await submitted.runAll(isLatest);
  }

  /** Puts another spelling in the place of a code in the field, and checks again. */
  async function correct(code: string, spelling: string): Promise<void> {
    await text.ready;
    text.replace(code, spelling);
    await submit();
  }

  const { draft, found, refusal, odd } = text;
  return {
    draft,
    entries,
    past,
    found,
    refusal,
    odd,
    chosen,
    choose,
    fill,
    clear,
    reset,
    isCheckedAtOnce,
    show,
    submit,
    askOthers,
    correct,
    refresh,
    stop,
    resume,
    retryFaults,
  };
});
