import { nextTick } from 'vue';

/** Moves the focus to the first invalid field inside an element, and opens the sections that hide it. */
export async function focusFirstInvalid(root: HTMLElement | null): Promise<void> {
  await nextTick();
  const field = root?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (field === null || field === undefined) return;
  for (let around = field.closest('details'); around !== null;) {
    around.open = true;
    around = around.parentElement?.closest('details') ?? null;
  }
  field.focus();
}
