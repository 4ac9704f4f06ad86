import { createWaitingText, type WaitingText } from '#adapters/storage/handoffs';
import { watchKeptAnswers } from '#adapters/storage/kept-answers';
import { createRecentChecks, type RecentChecks } from '#adapters/storage/recent-checks';
import type { WatchedSessionArea } from '#adapters/storage/storage-area';
import { createTicketCards, type TicketCards } from '#adapters/storage/ticket-cards';
import type { HistoryPort } from '#core/history/index';

/** The state that the views beside a ticket find again when they are opened anew, while the history is on. */
interface TicketMemory {
  readonly waitingText: WaitingText;
  readonly cards: TicketCards;
  readonly recentChecks: RecentChecks & {
    readonly watch: (removed: () => void) => void;
    /** Returns the entries of the codes that were checked last. */
    readonly stored: HistoryPort['ofLatestCodes'];
  };
}

/**
 * Opens it on the area that ends with the browser. The history is loaded beside the page: nothing of it is needed to
 * type and to ask.
 */
export function openTicketMemory(session: WatchedSessionArea): TicketMemory {
  const history = import('#adapters/storage/history-store').then((loaded) =>
    loaded.createPageHistory(),
  );
  const isHistoryOn = async (): Promise<boolean> => (await (await history).settings()).days > 0;
  return {
    waitingText: createWaitingText(session),
    cards: createTicketCards(session, isHistoryOn),
    recentChecks: {
      ...createRecentChecks(session, isHistoryOn),
      watch: (removed) => {
        watchKeptAnswers(session, removed);
      },
      stored: async (count) => (await history).ofLatestCodes(count),
    },
  };
}
