import { defineStore } from 'pinia';
import { ref } from 'vue';

/** How long the notice that the site works offline is shown, in milliseconds. */
const offlineReadyMs = 6_000;

/**
 * Whether the site works offline, and whether a new version waits. The new version starts only when the agent agrees.
 */
export const useUpdates = defineStore('verifier-updates', () => {
  const offlineReady = ref(false);
  const waiting = ref(false);
  /** Whether another window has started the new version, so that this page runs the old one. */
  const replaced = ref(false);
  const starting = ref(false);
  let start: (() => void) | undefined;

  /** Shows for a while that the site works offline. */
  function announceOffline(): void {
    offlineReady.value = true;
    setTimeout(() => {
      offlineReady.value = false;
    }, offlineReadyMs);
  }

  /** Announces a new version. */
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

  return { offlineReady, waiting, replaced, starting, announceOffline, offer, accept, dismiss };
});
