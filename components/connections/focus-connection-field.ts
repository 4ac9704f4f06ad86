import { nextTick } from 'vue';

/** Moves the focus to a field of the form for a connection, which may have been opened in this task. */
export async function focusConnectionField(name: 'name' | 'baseAddress' | 'apiKey'): Promise<void> {
  await nextTick();
  const field = document.querySelector<HTMLElement>(`[data-field="${name}"]`);
  (field?.querySelector('input') ?? field)?.focus();
}
