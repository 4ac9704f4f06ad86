import { listen } from '#adapters/browser/announcements';

/**
 * Calls back when answers were recorded in the history; a page that is not in front is told once it is.
 * @returns what stops that
 */
export function watchHistory(changed: () => void): () => void {
  const tell = (): void => {
    if (!document.hidden) changed();
  };
  const stop = listen('history', tell);
  document.addEventListener('visibilitychange', tell);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', tell);
  };
}
