import { omitUndefined } from '#core/result';
import { isStillBefore, type PageText, type ShownTicket } from '#core/ticket/index';

/** How many documents are remembered. */
const maxDocuments = 30;

/** Remembers what each document showed when a ticket was last read in it. */
export interface ShownDocuments {
  remember(read: PageText, codes: string): void;
  /**
   * Assumes that what a document shows right after it left an address is still that address's ticket, because the two
   * cannot be distinguished until the document changes. It does not if that ticket, or the one at the new address with
   * the same text, was the last one read in the document.
   */
  leave(from: string, read: PageText, codes: string): void;
  /** Tells whether a document still shows the previous ticket. @param waitedMs how long the ticket has been in front */
  isStillBefore(read: PageText, codes: string, waitedMs: number): boolean;
  /** Tells whether a document showed another ticket when it was last read. */
  showedAnother({ document, address }: PageText): boolean;
}

export function createShownDocuments(): ShownDocuments {
  const shown = new Map<number | undefined, ShownTicket>();
  function set(document: number | undefined, ticket: ShownTicket): void {
    shown.delete(document);
    shown.set(document, ticket);
    for (const oldest of [...shown.keys()].slice(0, -maxDocuments)) shown.delete(oldest);
  }
  return {
    remember({ document, address, subject, text }, codes) {
      set(document, omitUndefined({ address, subject, text, codes }));
    },
    leave(from, { document, address, subject, text }, codes) {
      const before = shown.get(document);
      const isUnchanged = before?.address === address && before?.text === text;
      if (before?.address === from || isUnchanged) return;
      set(document, { address: from, subject, text, codes, isGuess: true });
    },
    isStillBefore: (read, codes, waitedMs) =>
      isStillBefore(read, codes, shown.get(read.document), waitedMs),
    showedAnother({ document, address }) {
      const before = shown.get(document);
      return before !== undefined && before.address !== address;
    },
  };
}
