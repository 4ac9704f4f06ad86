import { createKeptList, ticketCardsName, watchKeptAnswers } from '#adapters/storage/kept-answers';
import type { WatchedSessionArea } from '#adapters/storage/storage-area';
import type { TicketCard } from '#core/ticket/index';

/** Keeps the cards of the tickets that were open lately in the browser's memory. */
export interface TicketCards {
  /** Returns the card of the ticket at this address; none while the history is off. */
  read(address: string): Promise<TicketCard | undefined>;
  /**
   * Keeps a card in place of the one before at its address, none without a code. Keeps nothing while the history is
   * off.
   */
  write(card: TicketCard): Promise<void>;
  watch(removed: () => void): void;
}

/** Cards that are kept; the one written first is forgotten first. */
const maxCards = 50;

export function createTicketCards(
  area: WatchedSessionArea,
  isHistoryOn: () => Promise<boolean>,
): TicketCards {
  const cards = createKeptList<TicketCard>(area, ticketCardsName, isHistoryOn);
  return {
    read: async (address) => (await cards.read()).find((card) => card.address === address),
    write: (card) =>
      cards.change((kept) => {
        const others = kept.filter(({ address }) => address !== card.address);
        return (card.checked.length > 0 ? [card, ...others] : others).slice(0, maxCards);
      }),
    watch: (removed) => {
      watchKeptAnswers(area, removed);
    },
  };
}
