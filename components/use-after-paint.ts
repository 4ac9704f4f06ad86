import { type Ref, onMounted, onScopeDispose, ref } from 'vue';

/** A background page draws no frame, so after this many milliseconds the wait ends anyway. */
const longestWaitMs = 100;

/** Returns whether the component's first frame has been drawn, for content that can wait until then. */
export function useAfterPaint(): Ref<boolean> {
  const painted = ref(false);
  const show = (): void => {
    painted.value = true;
  };
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  onMounted(() => {
    timer = setTimeout(show, longestWaitMs);
    frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      // The frame is drawn before this task runs.
      timer = setTimeout(show);
    });
  });
  onScopeDispose(() => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  });
  return painted;
}
