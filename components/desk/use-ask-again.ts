import { readonly, type Ref, ref, watch } from 'vue';

import { nextRetryAt } from '#core/check/index';
import type { Fault } from '#core/marketplaces/index';
import type { StorageFull } from '#core/storage/index';
import { clockPort, usePort } from '#stores/ports';

/**
 * Asks again by itself at a fault's `retryAt`, as often and after as long a wait as a check does.
 * @returns when it will ask next; undefined if it will not, and the agent has to
 */
export function useAskAgain(
  fault: () => Fault | StorageFull | undefined,
  ask: () => void,
): Readonly<Ref<number | undefined>> {
  const now = usePort(clockPort);
  const nextRunAt = ref<number>();
  let retries = 0;
  /** Whether the last request was sent from here: one that the agent sends begins a new series. */
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
