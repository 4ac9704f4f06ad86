import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { SharedContent } from '#core/site/share-rule';
import { sharedContentPort } from '#stores/verifier/ports';
import { latest } from '#stores/latest';
import { usePort } from '#stores/ports';

/** Holds what another app or page has left here, as it lies, until the agent opens or discards it. */
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
   * Takes it out of storage, so that only this page has it, and then shows what waits next. It stands here until then:
   * a window that is closed too early leaves it waiting, as was seen. A second call meanwhile takes nothing.
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
