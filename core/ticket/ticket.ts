import type { CheckedCode } from '#core/check/index';
import type { PageText } from '#core/ticket/page-text';

export interface Ticket {
  readonly tabId: number;
  /** The page's full address. */
  readonly address: string;
  /** The page's heading; `''` if it has none, or it was not read yet. */
  readonly subject: string;
}

/** The longest address and subject, in UTF-16 units. */
export const maxTicketLengths = { address: 8192, subject: 200 } as const;

/** How a reply was put into a ticket, or why it was not. */
export type Insertion =
  | 'inserted'
  /** No reply field is open there, or the site is not allowed. */
  | 'no-field'
  /** The ticket in front is not the one that the reply was made for. */
  | 'other-ticket';

/** The panel's view of one ticket, to restore when the agent returns to it. */
export interface TicketCard {
  readonly address: string;
  readonly subject: string;
  /** The text in the code field. */
  readonly draft: string;
  /** The text that was read from the page. A different `draft` is the agent's own text. */
  readonly fromPage: string;
  readonly checked: readonly CheckedCode[];
}

/**
 * Tells whether a page that was read belongs to a ticket. Before the heading appears, it may be any ticket at its
 * address.
 */
export function isOfTicket(
  read: Pick<PageText, 'address' | 'subject'>,
  { address, subject }: Pick<Ticket, 'address' | 'subject'>,
): boolean {
  if (read.address !== address) return false;
  return subject === '' || read.subject === '' || read.subject === subject;
}

/**
 * Returns the part of an address that identifies a ticket: everything except an anchor in the page. A fragment that may
 * lead to another ticket is kept: one with a slash, an equals sign or an exclamation mark, or a number.
 */
export function ticketAddressOf(address: string): string {
  const [page = '', ...fragments] = address.split('#');
  return /[/=!]|^\d+$/u.test(fragments.join('#')) ? address : page;
}

/** The text of a ticket in one document. */
export interface ShownTicket extends Pick<PageText, 'address' | 'subject' | 'text'> {
  /** The codes that were found in it, one per line. */
  readonly codes: string;
  /** Whether it was read only after the address had changed, so that it may already be the next ticket. */
  readonly isGuess?: boolean;
}

/**
 * How long a ticket must have been in front before a document with the same codes as the previous ticket is believed,
 * in milliseconds.
 */
const sameCodesMs = 3500;
/** The same for a document whose text has not changed at all although the numbers in its address have. */
const sameTextMs = 10_000;

/**
 * Tells whether a document still shows the previous ticket: a page drawn by a script changes its address first.
 * @param before what the document showed at the previous address
 * @param waitedMs how long the ticket has been in front
 */
export function isStillBefore(
  read: PageText,
  codes: string,
  before: ShownTicket | undefined,
  waitedMs: number,
): boolean {
  if (before === undefined || read.address === before.address) return false;
  if (read.text === before.text) {
    // If the numbers are equal, this may be another view of the same ticket, or a ticket whose name has no number.
    const isNumbered =
      before.isGuess !== true && numbersIn(read.address) !== numbersIn(before.address);
    return waitedMs < (isNumbered ? sameTextMs : sameCodesMs);
  }
  if (codes !== before.codes) return false;
  const isSame = codes !== '' || (read.subject !== '' && read.subject === before.subject);
  return isSame && waitedMs < sameCodesMs;
}

function numbersIn(address = ''): string {
  return Array.from(address.matchAll(/\d+/gu), ([number]) => number).join(' ');
}
