import { type Component, defineAsyncComponent } from 'vue';
import { browser } from 'wxt/browser';

import { createExtensionTabs } from '#adapters/browser/extension-tabs';
import { saveFile } from '#adapters/browser/save-file';
import { createClockMemory, createKeyRing, openHandoffs } from '#adapters/storage/index';
import { createVerifyWorkers } from '#adapters/verify-worker/verify-workers';
import { authorityViews } from '#components/authority/views';
import { withMessages } from '#components/i18n';
import { provideVerifier } from '#stores/verifier/index';
import VerifierPage from '#components/verifier/VerifierPage.vue';
import { mountPage } from '#entrypoints/page/mount';
import undo from '#locales/en/undo.json';
import verifier from '#locales/en/verifier.json';
import { askPort, usePort } from '#stores/ports';

const { license, texts } = openHandoffs(browser.storage.session);
const tabs = createExtensionTabs(browser.tabs, browser.runtime.getURL('/').replace(/\/$/u, ''));

/** Loads what keeps files on their way here after the first paint. */
const loadShares = () => import('#adapters/browser/waiting-files');

/** Opens the check in a tab of its own and hands it the code through session storage, not in a URL. */
async function checkInTab(text: string): Promise<void> {
  const tabId = await tabs.open('/sidepanel.html', 'new');
  if (tabId !== undefined) await texts.put({ text, at: Date.now(), target: { tabId } });
}

void mountPage(VerifierPage, {
  messages: { ...verifier, ...undo },
  texts: ['verifier', 'authority'],
  ports: (app, catalogue) => {
    let loading: Promise<{ default: Component }> | undefined;
    /** Loads the view with its messages. */
    const loadAsk = (): Promise<{ default: Component }> =>
      (loading ??= withMessages(
        import('#components/authority/AskAuthority.vue'),
        import('#locales/en/authority.json'),
        catalogue,
      ));
    provideVerifier(app, {
      home: {
        name: 'extension',
        checkCode: (code) => {
          void checkInTab(code);
        },
      },
      verify: createVerifyWorkers(),
      keyRing: createKeyRing(),
      clockMemory: createClockMemory(),
      sharedContent: {
        peek: async () => {
          const text = await license.peek(Date.now());
          return text === undefined
            ? (await loadShares()).peekWaiting(Date.now())
            : { id: 'license', text, files: [], asked: true };
        },
        drop: async (id) =>
          id === 'license' ? license.drop() : (await loadShares()).dropWaiting(id),
      },
      saveFile,
    });
    const ask = app.runWithContext(() => usePort(askPort));
    // A ring of its own, so that the page's ring is told of the change.
    void import('#stores/policy/sync-pinned-keys').then(({ syncPinnedKeys }) =>
      syncPinnedKeys(ask, createKeyRing(), Date.now()),
    );
    app.provide(authorityViews, { ask: defineAsyncComponent(loadAsk) });
    // If it came after the first result, it would push down what the agent already reads.
    requestIdleCallback(() => void loadAsk());
  },
});
