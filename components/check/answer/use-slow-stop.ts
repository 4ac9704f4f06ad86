import { type Ref, ref, watchEffect } from 'vue';

/** An answer counts as slow after this many milliseconds. */
const slowMs = 3000;

/** The key that stops, as a button names it. */
export const escapeKey = 'Esc';

/** Tells whether something has lasted so long that the agent may want to stop it. */
export function useSlow(lasts: () => boolean): Readonly<Ref<boolean>> {
  const isSlow = ref(false);
  watchEffect((onCleanup) => {
    isSlow.value = false;
    if (!lasts()) return;
    const timer = setTimeout(() => (isSlow.value = true), slowMs);
    onCleanup(() => {
      clearTimeout(timer);
    });
  });
  return isSlow;
}

/** Stops something on Escape while that is possible, before the code field gets the key, which would empty it. */
export function useEscapeToStop(canStop: () => boolean, stop: () => void): void {
  function onEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.isComposing || document.querySelector('dialog[open]'))
      return;
    event.preventDefault();
    event.stopPropagation();
    stop();
  }
  watchEffect((onCleanup) => {
    if (!canStop()) return;
    document.addEventListener('keydown', onEscape, true);
    onCleanup(() => {
      document.removeEventListener('keydown', onEscape, true);
    });
  });
}
