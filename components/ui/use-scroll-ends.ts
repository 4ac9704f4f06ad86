import { onScopeDispose, onUpdated, reactive, type Ref, watch } from 'vue';

import '#components/ui/fades.css';

/** Whether something scrollable goes on before and after what is shown of it. */
export interface ScrollEnds {
  readonly before: boolean;
  readonly after: boolean;
}

/**
 * Tells whether an element goes on beyond its edges, for the class `fades`.
 * @param onResize is called before each measuring that follows another size
 */
export function useScrollEnds(
  element: Readonly<Ref<HTMLElement | null>>,
  axis: 'inline' | 'block',
  onResize: () => void = () => undefined,
): { readonly ends: ScrollEnds; readonly measure: () => void } {
  const ends = reactive({ before: false, after: false });
  function measure(): void {
    const { value } = element;
    if (value === null) return;
    // To the left it counts below zero.
    const before = Math.abs(axis === 'inline' ? value.scrollLeft : value.scrollTop);
    const shown = axis === 'inline' ? value.clientWidth : value.clientHeight;
    const whole = axis === 'inline' ? value.scrollWidth : value.scrollHeight;
    ends.before = before > 1;
    ends.after = before + shown < whole - 1;
  }
  const observer = new ResizeObserver(() => {
    onResize();
    measure();
  });
  watch(
    element,
    (present, before) => {
      if (before) observer.unobserve(before);
      if (present !== null) observer.observe(present);
    },
    { flush: 'post', immediate: true },
  );
  // What it holds may grow while it stays as large as it is.
  onUpdated(measure);
  onScopeDispose(() => {
    observer.disconnect();
  });
  return { ends, measure };
}
