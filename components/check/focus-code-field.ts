import { nextTick } from 'vue';

/**
 * Moves the focus to the code field, its text selected for the next paste. For a button that goes away when it is
 * pressed.
 */
export async function focusCodeField(): Promise<void> {
  await nextTick();
  const field = document.querySelector<HTMLTextAreaElement>('#code');
  field?.focus();
  field?.select();
}
