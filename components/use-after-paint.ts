import { type Ref, onMounted, onScopeDispose, ref } from 'vue';

/** A page in the background draws no frame: what waits for one is shown after this, in milliseconds. */
const longestWaitMs = 100;

/** Returns whether the component's first frame has been drawn: what the eye looks for last can wait for it. */
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
      // A task of its own: the frame is drawn before it.
      timer = setTimeout(show);
    });
  });
  onScopeDispose(() => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  });
  return painted;
}
