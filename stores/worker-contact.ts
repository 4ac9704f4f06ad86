import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { Ask } from '#messaging/protocol';

/** Whether the worker can still be asked. After an update the browser stops the old one, and its pages stay behind. */
export const useWorkerContact = defineStore('contact', () => {
  const lost = ref(false);

  /** The same `Ask`, noticed when it gets no answer at all. */
  function watched(ask: Ask): Ask {
    return (topic, body) =>
      ask(topic, body).catch((error: unknown) => {
        lost.value = true;
        throw error;
      });
  }

  return { lost, watched };
});
