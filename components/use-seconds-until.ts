import { computed, type ComputedRef, ref, watchEffect } from 'vue';

import { clockPort, usePort } from '#stores/ports';

/**
 * Counts the seconds until a moment, anew each second. Call it in a component's setup.
 * @param at epoch milliseconds; undefined where nothing is waited for, which has no seconds
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
