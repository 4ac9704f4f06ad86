import { ticketCardsName, watchKeptAnswers } from '#adapters/storage/kept-answers';
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
  let written: Promise<void> = Promise.resolve();

  async function put(card: TicketCard): Promise<void> {
    if (!(await isHistoryOn())) {
      await area.remove(ticketCardsName);
      return;
    }
    const others = (await storedCards(area)).filter(({ address }) => address !== card.address);
    // The browser may have no room: a card can always be made anew.
    await area
      .set({
        [ticketCardsName]: (card.checked.length > 0 ? [card, ...others] : others).slice(
          0,
          maxCards,
        ),
      })
      .catch(() => undefined);
  }

  // Cards that were being written while they were removed would stand there again.
  watchKeptAnswers(area, () => {
    written = written.then(async () => {
      if ((await storedCards(area)).length > 0) await area.remove(ticketCardsName);
    });
  });

  return {
    async read(address) {
      await written;
      if (!(await isHistoryOn())) return undefined;
      return (await storedCards(area)).find((card) => card.address === address);
    },
    write: (card) => (written = written.then(() => put(card))),
    watch: (removed) => {
      watchKeptAnswers(area, removed);
    },
  };
}

/** Only our own program writes them, in this very form, and they go with the browser's session. */
async function storedCards(area: WatchedSessionArea): Promise<readonly TicketCard[]> {
  return ((await area.get(ticketCardsName))[ticketCardsName] ?? []) as TicketCard[];
}
