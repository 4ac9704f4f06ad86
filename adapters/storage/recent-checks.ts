import { forgetInTicketCards } from '#adapters/storage/ticket-cards';
import type { SessionArea } from '#adapters/storage/storage-area';
import type { CheckedCode } from '#core/check/check-report';

export interface RecentChecks {
  /** The latest first; none while the history is off. */
  read(): Promise<readonly CheckedCode[]>;
  /** Writes nothing, and removes what was written, while the history is off. */
  write(checked: readonly CheckedCode[]): Promise<void>;
}

/** Names the latest answers as a key of the session cache, so that a lock removes them with all others. */
export const recentChecksName = 'cache:["recent-checks"]';

/** Keeps what was last checked in the browser's memory, so that a view that is opened again shows it. */
export function createRecentChecks(
  area: SessionArea,
  isHistoryOn: () => Promise<boolean>,
): RecentChecks {
  return {
    read: async () => ((await isHistoryOn()) ? stored(area) : []),
    async write(checked) {
      if (await isHistoryOn()) await area.set({ [recentChecksName]: checked });
      else await area.remove(recentChecksName);
    },
  };
}

/** Creates a function that removes the answers of one connection from the codes that were checked last, and from tickets' cards. */
export function createForgetRecentChecks(
  area: SessionArea,
): (connectionId: string) => Promise<void> {
  return async (connectionId) => {
    const before = await stored(area);
    const left = before
      .map(({ code, checks }) => ({
        code,
        checks: checks.filter((check) => check.connectionId !== connectionId),
      }))
      .filter(({ checks }) => checks.length > 0);
    if (before.length > 0) await area.set({ [recentChecksName]: left });
    await forgetInTicketCards(area, connectionId);
  };
}

/** Only our own program writes it, in this very form, and it goes with the browser's session. */
async function stored(area: SessionArea): Promise<readonly CheckedCode[]> {
  return ((await area.get(recentChecksName))[recentChecksName] ?? []) as CheckedCode[];
}
