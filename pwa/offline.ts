import { Workbox } from 'workbox-window';

import { trustScript } from '#adapters/browser/trusted-scripts';

/** Holds the callbacks for the state of the page's service worker. */
export interface OfflineEvents {
  /** Called when everything the page needs is on this device. */
  readonly ready: () => void;
  /** Called when a newer version waits; `start` activates it and reloads the page. */
  readonly newer: (start: () => void) => void;
  /** Called when another window has activated a newer version. */
  readonly replaced: () => void;
}

/** Registers the service worker. Where the browser has none, or the address is insecure, the page works online only. */
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
