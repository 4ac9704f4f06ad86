import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import {
  defaultHistorySettings,
  type HistoryEntry,
  type HistorySettings,
} from '#core/history/entry';
import { dayMs } from '#core/time/units';
import { historyPort } from '#stores/history/ports';
import { latest } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';

/** The history page shows at most so many entries. */
export const maxEntries = 20_000;

/** The checks stored in this browser, as the history page shows them. */
export const useHistory = defineStore('history', () => {
  const port = usePort(historyPort);
  const now = usePort(clockPort);

  const settings = shallowRef<HistorySettings>(defaultHistorySettings);
  const entries = shallowRef<HistoryEntry[]>();
  const wanted = ref('');
  /** The digest of the code that is searched for: a masked entry is found by its whole code. */
  const wantedId = ref('');
  const storageFull = ref(false);
  const reads = latest();
  const searches = latest();

  const shown = computed(() => {
    const needle = wanted.value.trim().toLowerCase();
    const all = entries.value ?? [];
    if (needle === '') return all;
    return all.filter(
      (entry) => entry.codeId === wantedId.value || searchTextOf(entry).includes(needle),
    );
  });

  async function load(): Promise<void> {
    settings.value = await port.settings();
    await readEntries();
  }

  async function readEntries(): Promise<void> {
    const { isLatest } = reads.begin();
    const read = await port.latest(maxEntries);
    if (isLatest()) entries.value = read;
  }

  async function search(text: string): Promise<void> {
    const { isLatest } = searches.begin();
    wanted.value = text;
    const named = text.trim() === '' ? '' : await port.codeIdOf(text);
    if (isLatest()) wantedId.value = named;
  }

  async function change(changes: Partial<HistorySettings>): Promise<void> {
    settings.value = { ...settings.value, ...changes };
    await port.setSettings(settings.value);
    const { days } = settings.value;
    if (changes.days === undefined) return;
    if (days === 0) await port.erase();
    else await port.prune(now() - days * dayMs);
    await load();
  }

  async function erase(): Promise<void> {
    await port.erase();
    await readEntries();
  }

  async function remove(id: number): Promise<void> {
    await port.remove(id);
    await readEntries();
  }

  async function annotate(id: number, ticket: string, note: string): Promise<void> {
    storageFull.value = !(await port.annotate(id, { ticket: ticket.trim(), note: note.trim() })).ok;
    await readEntries();
  }

  /** Returns the other entries of the same code, the latest first. */
  async function others(entry: HistoryEntry): Promise<HistoryEntry[]> {
    return (await port.ofCode(entry.codeId)).filter(({ id }) => id !== entry.id);
  }

  return {
    ...{ settings, entries, wanted, shown, storageFull },
    ...{ load, search, change, erase, remove, annotate, others },
  };
});

function searchTextOf({ code, connectionName, answer, ticket, note }: HistoryEntry): string {
  const item = answer.kind === 'purchase' ? answer.purchase.item.name : '';
  return `${code}\n${connectionName}\n${item}\n${ticket ?? ''}\n${note ?? ''}`.toLowerCase();
}
