import { createPinia } from 'pinia';
import { type Component, createApp, defineAsyncComponent } from 'vue';
import { browser } from 'wxt/browser';

import { createPendingTexts } from '#adapters/storage/pending-text';
import { copyText } from '#adapters/browser/clipboard';
import { createClockMemory } from '#adapters/storage/clock-memory';
import { createExtensionTabs } from '#adapters/browser/extension-tabs';
import { createPageHandoff } from '#adapters/storage/page-handoff';
import { createKeyRing } from '#adapters/storage/key-ring';
import { createMemoryVault } from '#adapters/storage/memory-vault';
import { createPermissions } from '#adapters/browser/permissions';
import { saveFile } from '#adapters/browser/save-file';
import { createVerifyWorkers } from '#adapters/verify-worker/verify-workers';
import { authorityViews } from '#components/authority/views';
import { createCatalogue, withMessages } from '#components/i18n';
import VerifierApp from '#components/verifier/VerifierApp.vue';
import { originPattern } from '#core/connections/origin';
import verifierWords from '#locales/en.verifier.json';
import { createAsk } from '#messaging/ask';
import { rehearsalVaultPort } from '#stores/authority/ports';
import { accessPort, askPort, clockPort, copyPort, optionsPort } from '#stores/ports';
import {
  clockMemoryPort,
  homePort,
  sharedContentPort,
  keyRingPort,
  saveFilePort,
  verifyPort,
} from '#stores/verifier/ports';

const pageHandoff = createPageHandoff(browser.storage.session);
const permissions = createPermissions(browser.permissions);
const pendingTexts = createPendingTexts(browser.storage.session);
const tabs = createExtensionTabs(browser.tabs, browser.runtime.getURL('/').replace(/\/$/u, ''));

/** The check, in a tab of its own beside this one; the code goes there through memory. */
async function checkInTab(text: string): Promise<void> {
  const tabId = await tabs.open('/sidepanel.html', 'new');
  if (tabId !== undefined) await pendingTexts.leave({ text, at: Date.now(), place: { tabId } });
}

const catalogue = createCatalogue(navigator.languages, { en: verifierWords });

/** What talks to an authority comes with its words when it is first shown: most files are judged without it. */
function ofAuthorities(load: () => Promise<{ default: Component }>): Component {
  return defineAsyncComponent(() =>
    withMessages(load(), import('#locales/en.authority.json'), (locale, words) => {
      catalogue.global.mergeLocaleMessage(locale, words);
    }),
  );
}

createApp(VerifierApp)
  .use(createPinia())
  .use(catalogue)
  .provide(
    askPort,
    createAsk((question) => browser.runtime.sendMessage(question)),
  )
  .provide(accessPort, (address) => permissions.request(originPattern(address)))
  .provide(optionsPort, () => {
    void browser.runtime.openOptionsPage();
  })
  .provide(rehearsalVaultPort, () => createMemoryVault())
  .provide(authorityViews, {
    ask: ofAuthorities(() => import('#components/authority/AskAuthority.vue')),
    rehearsal: ofAuthorities(() => import('#components/rehearsal/RehearsalPage.vue')),
  })
  .provide(clockPort, () => Date.now())
  .provide(copyPort, copyText)
  .provide(saveFilePort, saveFile)
  .provide(verifyPort, createVerifyWorkers())
  .provide(keyRingPort, createKeyRing())
  .provide(clockMemoryPort, createClockMemory())
  .provide(sharedContentPort, {
    peek: async () => {
      const text = await pageHandoff.peek('license', Date.now());
      return text === undefined ? undefined : { id: 'license', text, files: [], asked: true };
    },
    drop: () => pageHandoff.drop('license'),
  })
  .provide(homePort, {
    name: 'extension',
    checkCode: (code) => {
      void checkInTab(code);
    },
  })
  .mount('#app');
