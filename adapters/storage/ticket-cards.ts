import { createKeptList, ticketCardsName, watchKeptAnswers } from '#adapters/storage/kept-answers';
import type { WatchedSessionArea } from '#adapters/storage/storage-area';
import type { TicketCard } from '#core/ticket/index';

/** Keeps the cards of recently open tickets in the browser's memory. */
export interface TicketCards {
  /** Returns the card of the ticket at this address; undefined if the history is off. */
  read(address: string): Promise<TicketCard | undefined>;
  /** Replaces the card at an address. A card without a code is not kept, and nothing is kept if the history is off. */
  write(card: TicketCard): Promise<void>;
  watch(removed: () => void): void;
}

/** How many cards are kept; the oldest is removed first. */
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
