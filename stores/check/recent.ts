import { defineStore } from 'pinia';
import { ref, watch } from 'vue';

import { useCheck } from '#stores/check/check';
import type { PendingCheck } from '#stores/check/pending-check';

/** One code that was checked before, with its reports. */
export interface RecentEntry {
  readonly code: string;
  readonly pendingChecks: readonly PendingCheck[];
}

/** The entries are in the page's memory only. */
const maxEntries = 12;

/** The codes that the panel showed before the present ones, the latest first, each once. */
export const useRecent = defineStore('recent', () => {
  const check = useCheck();
  const entries = ref<RecentEntry[]>([]);

  watch(
    () => check.entries,
    (present, before) => {
      const shown = new Set(present.map(({ code }) => code));
      const settled = before
        .filter(({ pendingChecks }) => pendingChecks.some(({ report }) => report !== undefined))
        .filter(({ code }) => !shown.has(code));
      const codes = new Set([...shown, ...settled.map(({ code }) => code)]);
      entries.value = [...settled, ...entries.value.filter(({ code }) => !codes.has(code))].slice(
        0,
        maxEntries,
      );
    },
  );

  return { entries };
});
