import { nextTick, onScopeDispose, type Ref, watch } from 'vue';

/** Tells whether the element that had the focus is gone or hidden. */
export function isFocusLost(): boolean {
  return document.activeElement === document.body;
}

/**
 * Focuses an element once the page is drawn, if the one that had the focus is gone. The page scrolls only as far as the
 * element's beginning is out of sight.
 */
export async function focusIfLost(find: () => HTMLElement | null | undefined): Promise<void> {
  await nextTick();
  const element = isFocusLost() ? find() : undefined;
  element?.focus({ preventScroll: true });
  (element?.querySelector('h2, h3') ?? element)?.scrollIntoView({ block: 'nearest' });
}

/** Focuses the first invalid field inside an element, and opens the sections that hide it. */
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

/**
 * Moves the focus on when a button in the row had it and disappears: to a button in the row that deletes and ends
 * nothing, else to the card around it, the code field or the page's title. Call it in the setup of the component that draws the row.
 * @param steps the state that decides which buttons the row has
 */
export function useLeadFocusOn(
  row: Readonly<Ref<HTMLElement | null>>,
  steps: Readonly<Ref<unknown>>,
): void {
  const hasFocus = (): boolean => row.value?.contains(document.activeElement) === true;
  let hadFocus = false;
  let card: HTMLElement | null;

  watch(steps, () => {
    hadFocus = hasFocus();
    card = around(row.value);
  });
  watch(
    steps,
    () => {
      if (hadFocus && isFocusLost())
        (
          row.value?.querySelector<HTMLElement>('button:not(.danger, [data-ends])') ?? card
        )?.focus();
    },
    { flush: 'post' },
  );
  // The row is still in the page at this point.
  onScopeDispose(() => {
    if (!hasFocus()) return;
    card = around(row.value);
    void focusIfLost(() => card);
  });
}

function around(row: HTMLElement | null): HTMLElement | null {
  return (
    row?.closest<HTMLElement>('[tabindex="-1"]') ??
    document.querySelector<HTMLElement>('#code, h1[tabindex]')
  );
}
