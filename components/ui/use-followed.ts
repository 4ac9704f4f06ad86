import { type Ref, ref, watch, type WatchSource } from 'vue';

/**
 * Tells whether a table's rows have changed by themselves since they were chosen otherwise: the active one, and those in
 * view, then keep their places. Call it in a setup.
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
