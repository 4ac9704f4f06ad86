import { isOfTicket, type PageText, type Ticket, type TicketCard } from '#core/ticket/index';
import { delay } from '#core/time/index';
import { useCheck } from '#stores/check/index';
import type { LatestSeries } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';
import type { PagePlan } from '#stores/ticket/page-plan';
import { tabPagePort, ticketCardsPort } from '#stores/ticket/ports';
import { createShownDocuments } from '#stores/ticket/shown-documents';
import type { CardOfTicket } from '#stores/ticket/ticket-card';

/** The milliseconds between readings of a page, because a page drawn by a script shows its ticket late. */
const readDelaysMs = [0, 200, 200, 400, 700, 1000, 1500, 3000, 4000] as const;
/** How long a page drawn by a script is read again before the view says that it has no code, in milliseconds. */
const drawingMs = 1500;

interface FollowerParts {
  readonly card: CardOfTicket;
  readonly plan: PagePlan;
  /** A later reading of the page ends the previous one. */
  readonly readings: LatestSeries;
  /** Fills the check from what was read. False when it held nothing for the check yet. */
  readonly apply: (read: PageText) => boolean;
  /** Called when a page was read, which may have been loaded since its chips were updated. */
  readonly updateChips: () => void;
}

/**
 * Creates the follower of the page in front. It reads only pages of sites where verdicts are shown, without text that
 * is being typed; other pages are read only after a gesture. Call it in a store's setup.
 */
export function createPageFollower({
  card,
  plan: { planOf, codesIn, withQuoted },
  readings,
  apply,
  updateChips,
}: FollowerParts): () => Promise<void> {
  const page = usePort(tabPagePort);
  const cards = usePort(ticketCardsPort);
  const now = usePort(clockPort);
  const check = useCheck();
  const documents = createShownDocuments();
  /** The previous address of the tab in front, until the page was read at its present address. */
  let leftAddress: string | undefined;
  let latestFrom: string | undefined;
  /** Since when the page has shown none of the codes that were read in it before, epoch milliseconds. */
  let goneAt: number | undefined;

  /** Shows the stored card of a ticket, unless the agent has typed something in the meantime. */
  function showStored(stored: TicketCard | undefined, ticket: Ticket): void {
    if (stored !== undefined && check.draft === '') card.putBack(stored, ticket);
  }

  /**
   * Applies a reading of the ticket in front.
   * @param draft the field's text before the page was read
   * @returns whether the page must be read again
   */
  function take(read: PageText, ticket: Ticket, draft: string): 'done' | 'again' {
    if (!isOfTicket(read, card.current.value ?? ticket)) {
      // The page has moved on, or shows another ticket at the same address.
      if (read.address === ticket.address) card.leaveTo({ ...ticket, subject: '' });
      return 'again';
    }
    const isTyped = check.draft !== draft || (draft !== '' && draft !== card.source.fromPage);
    const left = read.moved === true ? leftAddress : undefined;
    if (read.selection !== '') {
      // It may still belong to the previous ticket.
      const isAnother = left !== undefined || documents.showedAnother(read);
      const isTold = codesIn(read.selection) !== '' || planOf(read).kind === 'license';
      return !isAnother && isTold && !isTyped && apply(read) ? 'done' : 'again';
    }
    const codes = codesIn(read.text);
    if (left !== undefined) documents.leave(left, read, codes);
    leftAddress = undefined;
    if (documents.isStillBefore(read, codes, card.waitedMs())) return 'again';
    documents.remember(read, codes);
    card.source.codesSeen = codes === '' ? [] : codes.split('\n');
    card.attached.value = read.attached;
    if (read.subject !== '') card.setSubject(read.subject);
    return isTyped ? 'done' : takeText(read, ticket);
  }

  function takeText(read: PageText, ticket: Ticket): 'done' | 'again' {
    const isFilled = apply(read);
    const isDrawn = read.moved !== true || card.waitedMs() >= drawingMs;
    if (isFilled && isDrawn) return 'done';
    if (isFilled || card.source.fromPage === '') goneAt = undefined;
    else if (now() - (goneAt ??= now()) < drawingMs) return 'again';
    else card.leaveTo({ ...ticket, subject: read.subject });
    card.holdsNoCode.value = !isFilled && isDrawn;
    return 'again';
  }

  return async () => {
    const { isLatest } = readings.begin();
    const front = await page.front();
    if (!isLatest()) return;
    const before = card.current.value?.address;
    const isAnother = card.arrive(front);
    if (isAnother || front?.from !== latestFrom) leftAddress = latestFrom = front?.from;
    card.licenseOnPage.value = undefined;
    const ticket = card.current.value;
    if (ticket === undefined) return;
    const stored = isAnother ? await cards.read(ticket.address) : undefined;
    if (!isLatest()) return;
    // Another tab at this address may have stored a newer card, so the stored card is read first.
    if (ticket.address !== before) showStored(stored, ticket);
    goneAt = undefined;
    for (const delayMs of readDelaysMs) {
      await delay(delayMs);
      if (!isLatest()) return;
      const { draft } = check;
      const all = await page.read(true);
      if (!isLatest() || all === undefined) return;
      const read = withQuoted(all);
      if (stored?.fromPage === codesIn(read.text) && isOfTicket(read, stored))
        showStored(stored, ticket);
      const taken = take(read, ticket, draft);
      updateChips();
      if (taken === 'done') return;
    }
  };
}
