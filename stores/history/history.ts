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

/** Entries shown at most; what is older can still be found by its code. */
export const mostEntries = 20_000;

/** What was checked, as it is remembered in this browser. */
export const useHistory = defineStore('history', () => {
  const port = usePort(historyPort);
  const now = usePort(clockPort);

  const settings = shallowRef<HistorySettings>(defaultHistorySettings);
  const entries = shallowRef<HistoryEntry[]>();
  const wanted = ref('');
  /** The code that is searched for, named as the history names codes: a masked one is found by the whole code. */
  const wantedId = ref('');
  const full = ref(false);
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
    const read = await port.latest(mostEntries);
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
    full.value = !(await port.annotate(id, { ticket: ticket.trim(), note: note.trim() })).ok;
    await readEntries();
  }

  /** The same code's other entries, the latest first. */
  async function others(entry: HistoryEntry): Promise<HistoryEntry[]> {
    return (await port.ofCode(entry.codeId)).filter(({ id }) => id !== entry.id);
  }

  return {
    ...{ settings, entries, wanted, shown, full },
    ...{ load, search, change, erase, remove, annotate, others },
  };
});

function searchTextOf({ code, connectionName, answer, ticket, note }: HistoryEntry): string {
  const item = answer.kind === 'purchase' ? answer.purchase.item.name : '';
  return `${code}\n${connectionName}\n${item}\n${ticket ?? ''}\n${note ?? ''}`.toLowerCase();
}
