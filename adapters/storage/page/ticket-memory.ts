import { createWaitingText, type WaitingText } from '#adapters/storage/handoffs';
import { watchKeptAnswers } from '#adapters/storage/kept-answers';
import { createRecentChecks, type RecentChecks } from '#adapters/storage/recent-checks';
import type { WatchedSessionArea } from '#adapters/storage/storage-area';
import { createTicketCards, type TicketCards } from '#adapters/storage/ticket-cards';
import type { HistoryPort } from '#core/history/index';

/** The state that the views beside a ticket restore when they are opened again, if the history is on. */
interface TicketMemory {
  readonly waitingText: WaitingText;
  readonly cards: TicketCards;
  readonly recentChecks: RecentChecks & {
    readonly watch: (removed: () => void) => void;
    /** Returns the entries of the codes that were last checked. */
    readonly stored: HistoryPort['ofLatestCodes'];
  };
}

/**
 * Opens it in the area that is cleared when the browser closes. The history is loaded in parallel with the page, since
 * typing and checking do not need it.
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
