import { Workbox } from 'workbox-window';

import { trustScript } from '#adapters/browser/trusted-scripts';

/** What the page is told about its service worker. */
export interface OfflineEvents {
  /** Everything the page needs is on this device. */
  readonly ready: () => void;
  /** A newer version waits; `start` begins it, and the page is then loaded anew. */
  readonly newer: (start: () => void) => void;
  /** Another window began a newer version. */
  readonly replaced: () => void;
}

/** Registers the service worker. Where there is none (an insecure address, a browser without), the page works online. */
export function registerOffline({ ready, newer, replaced }: OfflineEvents): void {
  if (!('serviceWorker' in navigator)) return;
  const address = new URL('service-worker.js', document.baseURI).href;
  const workbox = new Workbox(trustScript(address), { updateViaCache: 'none' });
  let accepted = false;
  workbox.addEventListener('installed', ({ isUpdate }) => {
    if (isUpdate !== true) ready();
  });
  workbox.addEventListener('waiting', () => {
    newer(() => {
      accepted = true;
      workbox.messageSkipWaiting();
    });
  });
  workbox.addEventListener('controlling', ({ isUpdate, isExternal }) => {
    if (accepted) location.reload();
    else if (isUpdate === true || isExternal === true) replaced();
  });
  workbox.register().catch(() => undefined);
}
