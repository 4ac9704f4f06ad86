import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { SharedContent } from '#core/site/share-rule';
import { sharedContentPort } from '#stores/verifier/ports';
import { latest } from '#stores/latest';
import { usePort } from '#stores/ports';

/** Content that another app or page has handed over, untouched until the agent opens or discards it. */
export const useSharedContent = defineStore('verifier-shared-content', () => {
  const port = usePort(sharedContentPort);
  const shared = ref<SharedContent<Blob>>();

  const looks = latest();

  async function refresh(): Promise<void> {
    const { isLatest } = looks.begin();
    const found = await port.peek().catch(() => undefined);
    if (isLatest()) shared.value = found;
  }

  let taking: string | undefined;

  /**
   * Removes the content from storage, so that only this page has it, and then shows what waits next. Until then it
   * stays in storage, so that a window that is closed too early does not lose it. A second call in the meantime takes
   * nothing.
   */
  async function take(): Promise<SharedContent<Blob> | undefined> {
    const taken = shared.value;
    if (taken === undefined || taken.id === taking) return undefined;
    const { isLatest } = looks.begin();
    taking = taken.id;
    await port.drop(taken.id).catch(() => undefined);
    const next = await port.peek().catch(() => undefined);
    // An entry that could not be deleted is not shown again.
    if (isLatest()) shared.value = next?.id === taken.id ? undefined : next;
    taking = undefined;
    return taken;
  }

  return { shared, refresh, take };
});
