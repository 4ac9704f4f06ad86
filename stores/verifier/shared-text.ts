import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { Parcel } from '#stores/verifier/ports';
import { inboxPort } from '#stores/verifier/ports';
import { usePort } from '#stores/ports';

/** What another app or page has left here. It is shown as it lies, and opened or thrown away by the agent. */
export const useInbox = defineStore('verifier-inbox', () => {
  const inbox = usePort(inboxPort);
  const parcel = ref<Parcel>();

  async function look(): Promise<void> {
    parcel.value = await inbox.peek().catch(() => undefined);
  }

  /** Takes it out: from here on it is nowhere but on this page. */
  async function take(): Promise<Parcel | undefined> {
    const taken = parcel.value;
    parcel.value = undefined;
    await inbox.drop().catch(() => undefined);
    return taken;
  }

  return { parcel, look, take };
});
