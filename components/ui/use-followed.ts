import { type Ref, ref, watch, type WatchSource } from 'vue';

/**
 * Tells whether a table's rows have changed by themselves since the agent last filtered or sorted them; the active row
 * and those in view then stay in place. Call it in a component's setup.
 */
export function useFollowed(
  rows: WatchSource<unknown>,
  choices: (WatchSource<unknown> | object)[],
): Ref<boolean> {
  const isFollowed = ref(false);
  watch(rows, () => (isFollowed.value = true), { flush: 'sync' });
  watch(choices, () => (isFollowed.value = false), { flush: 'sync' });
  return isFollowed;
}
