import { onScopeDispose, type Ref, watch } from 'vue';

import { focusIfLost, isFocusLost } from '#components/ui/lost-focus';

/**
 * Leads the focus on when a button in the row had it and goes away: to a button in the row that deletes nothing, else to the card
 * around it, the code field or the page's title. Call it in the setup of the component that draws the row.
 * @param steps what the buttons of the row are drawn from
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
        (row.value?.querySelector<HTMLElement>('button:not(.danger)') ?? card)?.focus();
    },
    { flush: 'post' },
  );
  // The row is in the page still.
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
