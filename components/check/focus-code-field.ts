import { nextTick } from 'vue';

/** Focuses the code field and selects its text for the next paste; for a button that disappears when it is pressed. */
export async function focusCodeField(): Promise<void> {
  await nextTick();
  const field = document.querySelector<HTMLTextAreaElement>('#code');
  field?.focus();
  field?.select();
}
