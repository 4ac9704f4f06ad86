import { defineStore } from 'pinia';
import { ref, watch } from 'vue';

import { useCheck } from '#stores/check/check';
import type { PendingCheck } from '#stores/check/pending-check';

/** One code with its answers, from before. */
export interface RecentEntry {
  readonly code: string;
  readonly pendingChecks: readonly PendingCheck[];
}

/** Answers that are kept in the panel's memory, and nowhere else. */
const most = 12;

/** What the panel has shown before the present answers, the latest first. A code stands there once. */
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
        most,
      );
    },
  );

  return { entries };
});
