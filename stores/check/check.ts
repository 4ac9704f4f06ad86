import { defineStore } from 'pinia';

import { connectionsFor } from '#core/connections/index';
import { createCheckText } from '#stores/check/check-text';
import { createChosenConnection } from '#stores/check/chosen-connection';
import { type CheckEntry, newPendingCheck } from '#stores/check/pending-check';
import { createSubmittedChecks } from '#stores/check/submitted-checks';
import { useConnections } from '#stores/connections/connections';
import { usePreferences } from '#stores/settings/preferences';

/**
 * Runs checks: from a text to one pending check per code and connection. A new submission replaces the previous one.
 */
export const useCheck = defineStore('check', () => {
  const connections = useConnections();
  const preferences = usePreferences();
  const text = createCheckText();
  const { chosen, choose, include, connectionIds } = createChosenConnection();
  const submitted = createSubmittedChecks();
  const { entries, past, askOthers, refresh, stop, resume, retryFaults } = submitted;

  function replaceText(input: string, pasted: boolean, from?: string): void {
    reset();
    submitted.setTicket(from);
    text.setDraft(input, pasted);
  }

  function clear(): void {
    replaceText('', false);
  }

  /** Tells whether a pasted text is checked at once: it is one code, and the agent has not switched that off. */
  async function isCheckedAtOnce(): Promise<boolean> {
    await Promise.all([preferences.ready, text.ready()]);
    return (
      preferences.current.selectionAtOnce && connections.list?.length !== 0 && text.isOneCode()
    );
  }

  /** Discards the reports and running requests, since they belong to the submitted text. */
  function reset(): void {
    submitted.drop();
    text.clearHints();
  }

  /** Shows codes with their earlier answers, without sending requests. */
  function show(shown: readonly CheckEntry[], from?: string): void {
    replaceText(shown.map(({ code }) => code).join('\n'), shown.length > 1, from);
    submitted.begin();
    submitted.show(shown);
  }

  /**
   * Checks the codes in the field. Settles when every report has arrived or waits for the agent.
   * @param only the connections to ask instead of the chosen ones
   */
  async function submit(only: readonly string[] = []): Promise<void> {
    reset();
    const { isLatest } = submitted.begin();
    await Promise.all([preferences.ready, text.ready()]);
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

  /** Replaces a code in the field by another spelling, and checks again. */
  async function correct(code: string, spelling: string): Promise<void> {
    await text.ready();
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
    replaceText,
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
