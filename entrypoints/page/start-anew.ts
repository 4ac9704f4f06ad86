import { browser } from 'wxt/browser';

import { setPopupTheme } from '#adapters/browser/popup-page';

/** Forgets what pages themselves have stored, and opens this one anew. */
export function startAnew(): void {
  localStorage.clear();
  void setPopupTheme(browser.action, 'system').then(() => {
    location.reload();
  });
}
