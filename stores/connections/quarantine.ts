import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { QuarantineReport } from '#messaging/topics/quarantine';
import { askPort, usePort } from '#stores/ports';

/** Holds what this version of the program could not read of the stored data. */
export const useQuarantine = defineStore('quarantine', () => {
  const ask = usePort(askPort);
  const report = ref<QuarantineReport>();

  async function load(): Promise<void> {
    report.value = await ask('quarantine.list', {});
  }

  /** Returns a record as JSON text, its secrets left out. */
  async function copy(id: number): Promise<string | undefined> {
    return (await ask('quarantine.copy', { id })) ?? undefined;
  }

  async function remove(id: number): Promise<void> {
    report.value = await ask('quarantine.remove', { id });
  }

  return { report, load, copy, remove };
});
