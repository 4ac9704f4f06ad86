import { ref, type Ref, type ShallowRef, shallowRef } from 'vue';

import type { HistoryEntry } from '#core/history/index';
import {
  defaultHistorySettings,
  type HistorySettings,
  limitHistory,
} from '#core/preferences/index';
import type { Result } from '#core/result';
import { type Restore, undoMs } from '#core/storage/index';
import { historyPort } from '#stores/history/ports';
import { clockPort, usePort } from '#stores/ports';
import { type UndoFault, type UndoOffer, useUndoOffer } from '#stores/ui/undo-offer';

interface HistoryReads {
  /** The entries that are shown. */
  readonly entries: ShallowRef<readonly HistoryEntry[] | undefined>;
  readonly load: () => Promise<void>;
  readonly readEntries: () => Promise<void>;
}

/** Changes the stored history; removed entries can be restored for a while. */
export interface HistoryChanges {
  readonly settings: ShallowRef<HistorySettings>;
  /** Whether the settings could not be changed because a newer version of the program wrote them. */
  readonly settingsNewer: Ref<boolean>;
  readonly change: (changes: Partial<HistorySettings>) => Promise<void>;
  readonly erase: () => Promise<void>;
  /** @param name the name of the removed entries */
  readonly remove: (ids: readonly number[], name: string) => Promise<void>;
}

/** Call it in a store's setup. */
export function createHistoryChanges({ entries, load, readEntries }: HistoryReads): HistoryChanges {
  const port = usePort(historyPort);
  const now = usePort(clockPort);
  const undo = useUndoOffer();
  const settings = shallowRef<HistorySettings>(defaultHistorySettings);
  const settingsNewer = ref(false);
  /** The offer to restore what the latest change of the settings removed. */
  let shortening: UndoOffer | undefined;

  async function change(changes: Partial<HistorySettings>): Promise<void> {
    const written = await port.changeSettings(changes);
    settingsNewer.value = !written.ok;
    if (!written.ok) return;
    const { before, after } = written.value;
    const shown = entries.value;
    settings.value = after;
    if (changes.days === undefined && changes.wholeDays === undefined) return;
    const restore = await limitHistory(port, after, now());
    await load();
    if (changes.days !== undefined)
      offerUndo(after.days === 0 ? 'history' : 'older-checks', '', restore, shown, before.days);
  }

  /**
   * @param shown the entries before the change: they are shown at once when it is undone, since thousands take a second
   * to be restored
   * @param days for how many days checks were kept before, if that has changed
   */
  function offerUndo(
    list: 'history' | 'older-checks' | 'checks',
    name: string,
    restore: Restore | undefined,
    shown: readonly HistoryEntry[] | undefined,
    days?: number,
  ): void {
    if (restore === undefined) return;
    // A number field changes the settings with each press of an arrow key. Those changes are undone together.
    const earlier = days !== undefined && undo.offer === shortening ? shortening?.undo : undefined;
    const undoAll = async (): Promise<Result<unknown, UndoFault>> => {
      entries.value = shown;
      if (days !== undefined) {
        settings.value = { ...settings.value, days };
        await port.changeSettings({ days });
      }
      const restored = await restore();
      await load();
      return restored.ok && earlier !== undefined ? earlier() : restored;
    };
    const offer = { list, id: 'table', elementId: 'history-table', name, undo: undoAll };
    if (days !== undefined) shortening = offer;
    undo.show(offer, now() + undoMs);
  }

  async function erase(): Promise<void> {
    const shown = entries.value;
    const restore = await port.erase();
    await readEntries();
    offerUndo('history', '', restore, shown);
  }

  async function remove(ids: readonly number[], name: string): Promise<void> {
    const shown = entries.value;
    const restore = await port.remove(ids);
    await readEntries();
    offerUndo('checks', name, restore, shown);
  }

  return { settings, settingsNewer, change, erase, remove };
}
