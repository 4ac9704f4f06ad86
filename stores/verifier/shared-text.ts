import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { SharedContent } from '#stores/verifier/ports';
import { sharedContentPort } from '#stores/verifier/ports';
import { latest } from '#stores/latest';
import { usePort } from '#stores/ports';

/** What another app or page has left here. It is shown as it lies, and opened or thrown away by the agent. */
export const useSharedContent = defineStore('verifier-inbox', () => {
  const inbox = usePort(sharedContentPort);
  const shared = ref<SharedContent>();

  const looks = latest();

  async function look(): Promise<void> {
    const { isLatest } = looks.begin();
    const found = await inbox.peek().catch(() => undefined);
    if (isLatest()) shared.value = found;
  }

  /** Takes it out: from here on it is nowhere but on this page. */
  async function take(): Promise<SharedContent | undefined> {
    looks.cancel();
    const taken = shared.value;
    shared.value = undefined;
    await inbox.drop().catch(() => undefined);
    return taken;
  }

  return { shared, look, take };
});
