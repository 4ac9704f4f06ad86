import { omitUndefined } from '#core/result';
import { isStillBefore, type PageText, type ShownTicket } from '#core/ticket/index';

/** Documents of which it is known what they showed. */
const maxDocuments = 30;

/** Remembers what each document showed when a ticket was last read in it. */
export interface ShownDocuments {
  remember(read: PageText, codes: string): void;
  /** Tells whether a document still shows the ticket before. @param waitedMs how long the ticket has been in front */
  isStillBefore(read: PageText, codes: string, waitedMs: number): boolean;
  /** Tells whether a document showed another ticket when it was last read. */
  showedAnother({ document, address }: PageText): boolean;
}

export function createShownDocuments(): ShownDocuments {
  const shown = new Map<number | undefined, ShownTicket>();
  return {
    remember({ document, address, subject, text }, codes) {
      shown.delete(document);
      shown.set(document, omitUndefined({ address, subject, text, codes }));
      for (const oldest of [...shown.keys()].slice(0, -maxDocuments)) shown.delete(oldest);
    },
    isStillBefore: (read, codes, waitedMs) =>
      isStillBefore(read, codes, shown.get(read.document), waitedMs),
    showedAnother({ document, address }) {
      const before = shown.get(document);
      return before !== undefined && before.address !== address;
    },
  };
}
