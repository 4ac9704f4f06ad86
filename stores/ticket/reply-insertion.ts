import { type Insertion, isOfTicket, type PageText, type Ticket } from '#core/ticket/index';
import { useCheck } from '#stores/check/index';
import { askPort, usePort } from '#stores/ports';
import type { PagePlan } from '#stores/ticket/page-plan';
import { tabPagePort } from '#stores/ticket/ports';
import type { CardOfTicket } from '#stores/ticket/ticket-card';

/**
 * Creates the insertion of a reply into the open reply field of the card's ticket, if that ticket is in front. Call it
 * in a store's setup.
 * @param moved called when another ticket is in front
 */
export function createReplyInsertion(
  { current, site, source }: CardOfTicket,
  { codesIn, withQuoted }: PagePlan,
  moved: () => void,
): (text: string) => Promise<Insertion> {
  const page = usePort(tabPagePort);
  const ask = usePort(askPort);
  const check = useCheck();

  /** Tells whether a page of the ticket still shows what its card was made from: the same codes, or still none. */
  function showsAsBefore(read: PageText, ticket: Ticket): boolean {
    const { selection, subject, text } = withQuoted(read);
    // If something was selected, only the heading was read.
    if (selection !== '') return subject !== '' && subject === ticket.subject;
    const present = new Set(codesIn(text).split('\n'));
    if (check.draft === '') return present.has('');
    const { ofChip, codesSeen } = source;
    const due = check.draft === ofChip ? [...codesSeen, ...codesIn(ofChip).split('\n')] : codesSeen;
    return due.every((code) => present.has(code));
  }

  return async (text) => {
    const ticket = current.value;
    if (ticket === undefined || site.value === undefined) return 'no-field';
    const [front, read] = await Promise.all([page.front(), page.read(true)]);
    const isSame =
      front?.address === ticket.address &&
      current.value?.address === ticket.address &&
      (read === undefined || (isOfTicket(read, ticket) && showsAsBefore(read, ticket)));
    const done = isSame
      ? await ask('ticket.insert', {
          text,
          ticket: { ...ticket, tabId: front.tabId, subject: read?.subject ?? ticket.subject },
        })
      : 'other-ticket';
    if (done === 'other-ticket') moved();
    return done;
  };
}
