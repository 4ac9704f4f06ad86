import { computed, type ComputedRef, ref, watchEffect } from 'vue';

import { clockPort, usePort } from '#stores/ports';

/**
 * Counts down the seconds until a moment. Call it in a component's setup.
 * @param at epoch milliseconds; undefined if nothing is awaited, and then there are no seconds
 */
export function useSecondsUntil(at: () => number | undefined): ComputedRef<number | undefined> {
  const now = usePort(clockPort);
  const present = ref(now());
  watchEffect((onCleanup) => {
    if (at() === undefined) return;
    present.value = now();
    const ticking = setInterval(() => (present.value = now()), 1000);
    onCleanup(() => {
      clearInterval(ticking);
    });
  });
  return computed(() => {
    const until = at();
    return until === undefined ? undefined : Math.max(0, Math.ceil((until - present.value) / 1000));
  });
}
