import { readonly, type Ref, ref, watch } from 'vue';

import { nextRetryAt } from '#core/check/index';
import type { Fault } from '#core/marketplaces/index';
import type { StorageFull } from '#core/storage/index';
import { clockPort, usePort } from '#stores/ports';

/**
 * Retries automatically at a fault's `retryAt`, with the same limits as a check.
 * @returns when it will retry; undefined if the agent has to
 */
export function useAskAgain(
  fault: () => Fault | StorageFull | undefined,
  ask: () => void,
): Readonly<Ref<number | undefined>> {
  const now = usePort(clockPort);
  const nextRunAt = ref<number>();
  let retries = 0;
  /** Whether the last request was an automatic retry; the agent's own request starts a new series. */
  let hasAsked = false;
  watch(
    fault,
    (present, _before, onCleanup) => {
      nextRunAt.value = undefined;
      if (present === undefined) return;
      retries = hasAsked ? retries + 1 : 0;
      hasAsked = false;
      const at = nextRetryAt(present, retries, now());
      if (at === undefined) return;
      nextRunAt.value = at;
      const waiting = setTimeout(() => {
        hasAsked = true;
        ask();
      }, at - now());
      onCleanup(() => {
        clearTimeout(waiting);
      });
    },
    { immediate: true },
  );
  return readonly(nextRunAt);
}
