import type { App } from 'vue';
import { browser } from 'wxt/browser';

import { type TextTarget, createPendingTexts } from '#adapters/storage/pending-text';
import { createPageHandoff } from '#adapters/storage/page-handoff';
import { createShortcuts } from '#adapters/browser/shortcuts';
import { createTabPage } from '#adapters/browser/tab-page';
import { pendingTextPort, inspectPort, shortcutPort, tabPagePort } from '#stores/ticket/ports';

/** Returns what binds the ports of the views beside a ticket, for `mountPage`. */
export function ticketPorts(): (app: App) => void {
  const { session } = browser.storage;
  const pendingTexts = createPendingTexts(session);
  const pageHandoff = createPageHandoff(session);
  return (app) => {
    app
      .provide(tabPagePort, createTabPage())
      .provide(shortcutPort, createShortcuts())
      .provide(pendingTextPort, {
        async take() {
          for (const place of await placesHere()) {
            const text = await pendingTexts.take(place, Date.now());
            if (text !== undefined) return text;
          }
          return undefined;
        },
        watch: (left) => {
          pendingTexts.watch(left);
        },
      })
      .provide(inspectPort, async (license) => {
        await pageHandoff.leave('license', license, Date.now());
        await browser.tabs.create({ url: browser.runtime.getURL('/verifier.html') });
      });
  };
}

/** Returns where a pending text for this page may lie: its own tab, and its window while the page is visible. */
async function placesHere(): Promise<TextTarget[]> {
  const [tab, { id: windowId }] = await Promise.all([
    browser.tabs.getCurrent(),
    browser.windows.getCurrent(),
  ]);
  const here = windowId === undefined ? [] : [{ windowId }];
  if (tab?.id === undefined) return here;
  return [{ tabId: tab.id }, ...(document.visibilityState === 'visible' ? here : [])];
}
