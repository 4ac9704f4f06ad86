import { computed, type ComputedRef, onScopeDispose, type Ref, ref } from 'vue';

interface KeptHeight {
  /** The least height of the element, in CSS pixels; 0 while none is kept. */
  readonly keptHeight: ComputedRef<string>;
  /** Keeps the height that the element has now. */
  readonly keep: () => void;
  readonly forget: () => void;
}

/**
 * Lets an element keep its height while it has less content, so that nothing below it moves. Resizing the window ends
 * that. Call it in a component's setup.
 */
export function useKeptHeight(element: Readonly<Ref<HTMLElement | null>>): KeptHeight {
  const height = ref(0);
  function keep(): void {
    height.value = element.value?.getBoundingClientRect().height ?? 0;
  }
  function forget(): void {
    height.value = 0;
  }
  window.addEventListener('resize', forget);
  onScopeDispose(() => {
    window.removeEventListener('resize', forget);
  });
  return { keptHeight: computed(() => `${String(height.value)}px`), keep, forget };
}
