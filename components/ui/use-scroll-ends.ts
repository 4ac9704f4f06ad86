import { onScopeDispose, onUpdated, reactive, type Ref, watch } from 'vue';

import '#components/ui/fades.css';

/** Tells whether there is more content before and after the visible part of something scrollable. */
export interface ScrollEnds {
  readonly before: boolean;
  readonly after: boolean;
}

/**
 * Tells whether an element's content continues beyond its edges, for the class `fades`.
 * @param onResize is called when the size has changed, before the new measurement
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
    // In a right-to-left page the scroll position is negative.
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
  // The content may grow while the element keeps its size.
  onUpdated(measure);
  onScopeDispose(() => {
    observer.disconnect();
  });
  return { ends, measure };
}
