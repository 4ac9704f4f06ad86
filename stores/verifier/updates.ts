import { defineStore } from 'pinia';
import { ref } from 'vue';

/**
 * Whether the site works offline, and whether a newer version waits. Nothing changes under an agent's hands: the page
 * starts the new version only when told to.
 */
export const useUpdates = defineStore('verifier-updates', () => {
  const offlineReady = ref(false);
  const waiting = ref(false);
  /** Another window has started a new version; this page is still the old one. */
  const replaced = ref(false);
  const starting = ref(false);
  let start: (() => void) | undefined;

  /** A newer version is there and waits for its word. */
  function offer(begin: () => void): void {
    start = begin;
    waiting.value = true;
  }

  function accept(): void {
    if (start === undefined) return;
    starting.value = true;
    start();
  }

  function dismiss(): void {
    offlineReady.value = false;
    waiting.value = false;
  }

  return { offlineReady, waiting, replaced, starting, offer, accept, dismiss };
});
