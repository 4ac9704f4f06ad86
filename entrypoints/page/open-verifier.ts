import { browser } from 'wxt/browser';

import { openHandoffs } from '#adapters/storage/index';
import { keepAsked } from '#adapters/browser/waiting-files';
import type { InspectPort } from '#stores/ticket/ports';

/** Opens the verifier in a tab, on a license or on files. */
export function createOpenVerifier(): InspectPort {
  const handoffs = openHandoffs(browser.storage.session);
  const open = async (): Promise<void> => {
    await browser.tabs.create({ url: browser.runtime.getURL('/verifier.html') });
  };
  return {
    async license(text) {
      await handoffs.license.put(text, Date.now());
      await open();
    },
    async files(dropped) {
      if (dropped !== undefined) await keepAsked(dropped, Date.now());
      await open();
    },
  };
}
