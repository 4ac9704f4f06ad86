import { useCheck } from '#stores/check/index';
import { askPort, usePort } from '#stores/ports';
import { inspectPort } from '#stores/ticket/ports';
import type { CardOfTicket } from '#stores/ticket/ticket-card';

/**
 * Creates the functions that open the verifier on a ticket's license or files. Call it in a store's setup.
 * @param selected returns the license selected in the page, while it is offered
 */
export function createTicketInspection(
  { current, attached, licenseOnPage }: CardOfTicket,
  selected: () => string | undefined,
): {
  /** Opens it on the offered license: the selected one, else the one in the field, else the one on the page. */
  readonly inspect: () => Promise<void>;
  /** Opens it on the files that are attached to the ticket. */
  readonly inspectAttached: () => Promise<void>;
} {
  const verifier = usePort(inspectPort);
  const ask = usePort(askPort);
  const check = useCheck();
  return {
    async inspect() {
      const offered = check.refusal === 'license' ? selected() : licenseOnPage.value;
      await verifier.license(offered ?? check.draft);
    },
    async inspectAttached() {
      const tabId = current.value?.tabId;
      if (tabId !== undefined) await ask('ticket.inspect', { tabId, files: [...attached.value] });
    },
  };
}
