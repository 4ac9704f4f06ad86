import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { Ask } from '#messaging/index';

/**
 * Tells whether the worker still answers. After an update the browser stops the old worker, and its pages stay open.
 */
export const useWorkerContact = defineStore('worker-contact', () => {
  const lost = ref(false);

  /**
   * Wraps an `Ask` and notices when there is no worker to answer, or one of another build.
   * @param restart is called then, and starts the extension anew unless that was tried before
   */
  function watched(ask: Ask, restart?: () => void): Ask {
    return (topic, body) =>
      ask(topic, body).catch((error: unknown) => {
        lost.value = true;
        if ((error as { readonly reason?: string }).reason === 'other-build') restart?.();
        throw error;
      });
  }

  return { lost, watched };
});
