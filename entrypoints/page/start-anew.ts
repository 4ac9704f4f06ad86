import { browser } from 'wxt/browser';

import { popupPageOf } from '#core/settings/popup-page';
import { ownBuild } from '#messaging/envelope';

/** Forgets what pages themselves have stored, and opens this one anew. */
export function startAnew(): void {
  localStorage.clear();
  void browser.action.setPopup({ popup: popupPageOf('system') }).then(() => {
    location.reload();
  });
}

/** Starts the extension anew, so that its worker is of this page's build too; once for a build, and never again when that did not help. */
export function restartOnce(): void {
  if (localStorage.getItem('build') === ownBuild) return;
  localStorage.setItem('build', ownBuild);
  // The agent reads first what happens.
  setTimeout(() => {
    browser.runtime.reload();
  }, 2_000);
}
