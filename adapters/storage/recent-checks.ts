import { recentChecksName } from '#adapters/storage/kept-answers';
import type { SessionArea } from '#adapters/storage/storage-area';
import type { CheckedCode } from '#core/check/index';

export interface RecentChecks {
  /** The latest first; none while the history is off. */
  read(): Promise<readonly CheckedCode[]>;
  /** Writes nothing, and removes what was written, while the history is off. */
  write(checked: readonly CheckedCode[]): Promise<void>;
}

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

/** Only our own program writes it, in this very form, and it goes with the browser's session. */
async function stored(area: SessionArea): Promise<readonly CheckedCode[]> {
  return ((await area.get(recentChecksName))[recentChecksName] ?? []) as CheckedCode[];
}
