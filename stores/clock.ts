import { defineStore } from 'pinia';
import { onScopeDispose, ref } from 'vue';

import { minuteMs } from '#core/time/index';
import { clockPort, usePort } from '#stores/ports';

/** The present as shown on the page, epoch milliseconds, updated each minute and with each report. */
export const useClock = defineStore('clock', () => {
  const now = usePort(clockPort);
  const present = ref(now());

  function refresh(): void {
    present.value = now();
  }
  const timer = setInterval(refresh, minuteMs);
  onScopeDispose(() => {
    clearInterval(timer);
  });

  return { present, refresh };
});
