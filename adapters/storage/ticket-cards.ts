import type { SessionArea } from '#adapters/storage/storage-area';
import type { TicketCard } from '#core/ticket/ticket';

/** Keeps the cards of the tickets that were open lately in the browser's memory. */
export interface TicketCards {
  /** Returns the card of the ticket at this address; none while the history is off. */
  read(address: string): Promise<TicketCard | undefined>;
  /** Keeps a card in place of the one before at its address. Keeps nothing while the history is off. */
  write(card: TicketCard): Promise<void>;
}

/** Names the cards as a key of the session cache, so that a lock removes them with all others. */
export const ticketCardsName = 'cache:["ticket-cards"]';
/** Cards that are kept; the one written first is forgotten first. */
const maxCards = 50;

export function createTicketCards(
  area: SessionArea,
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
      .set({ [ticketCardsName]: [card, ...others].slice(0, maxCards) })
      .catch(() => undefined);
  }

  return {
    async read(address) {
      await written;
      if (!(await isHistoryOn())) return undefined;
      return (await storedCards(area)).find((card) => card.address === address);
    },
    write: (card) => (written = written.then(() => put(card))),
  };
}

/** Only our own program writes them, in this very form, and they go with the browser's session. */
async function storedCards(area: SessionArea): Promise<readonly TicketCard[]> {
  return ((await area.get(ticketCardsName))[ticketCardsName] ?? []) as TicketCard[];
}

/** Removes the answers of one connection from the cards. */
export async function forgetInTicketCards(area: SessionArea, connectionId: string): Promise<void> {
  const before = await storedCards(area);
  if (before.length === 0) return;
  const left = before.map((card) => ({
    ...card,
    checked: card.checked.map(({ code, checks }) => ({
      code,
      checks: checks.filter((check) => check.connectionId !== connectionId),
    })),
  }));
  await area.set({ [ticketCardsName]: left });
}
