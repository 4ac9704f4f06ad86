import { nextTick } from 'vue';

/** Tells whether the element that had the focus has gone away or was hidden. */
export function isFocusLost(): boolean {
  return document.activeElement === document.body;
}

/** Gives the focus to an element once the page is drawn, where what had it is gone. */
export async function focusIfLost(find: () => HTMLElement | null | undefined): Promise<void> {
  await nextTick();
  if (isFocusLost()) find()?.focus();
}
