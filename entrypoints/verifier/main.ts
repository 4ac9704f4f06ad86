import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { browser } from 'wxt/browser';

import { createArrivals } from '#adapters/arrivals';
import { copyText } from '#adapters/clipboard';
import { createClockMemory } from '#adapters/clock-memory';
import { createExtensionTabs } from '#adapters/extension-tabs';
import { createHandover } from '#adapters/handover';
import { createKeyRing } from '#adapters/key-ring';
import { saveFile } from '#adapters/save-file';
import { createVerifyWorkers } from '#adapters/verifier';
import { createCatalogue } from '#components/i18n';
import VerifierApp from '#components/verifier/VerifierApp.vue';
import en from '#locales/en.verifier.json';
import { clockPort, copyPort } from '#stores/ports';
import {
  clockMemoryPort,
  homePort,
  inboxPort,
  keyRingPort,
  saveFilePort,
  verifyPort,
} from '#stores/verifier/ports';

const handover = createHandover(browser.storage.session);
const arrivals = createArrivals(browser.storage.session);
const tabs = createExtensionTabs(browser.tabs, browser.runtime.getURL('/').replace(/\/$/u, ''));

/** The check, in a tab of its own beside this one; the code goes there through memory. */
async function checkInTab(text: string): Promise<void> {
  const tabId = await tabs.open('/sidepanel.html', 'new');
  if (tabId !== undefined) await arrivals.leave({ text, at: Date.now(), place: { tabId } });
}

createApp(VerifierApp)
  .use(createPinia())
  .use(createCatalogue(navigator.languages, { en }))
  .provide(clockPort, () => Date.now())
  .provide(copyPort, copyText)
  .provide(saveFilePort, saveFile)
  .provide(verifyPort, createVerifyWorkers())
  .provide(keyRingPort, createKeyRing())
  .provide(clockMemoryPort, createClockMemory())
  .provide(inboxPort, {
    peek: async () => {
      const text = await handover.peek('license', Date.now());
      return text === undefined ? undefined : { text, files: [], asked: true };
    },
    drop: () => handover.drop('license'),
  })
  .provide(homePort, {
    name: 'extension',
    checkCode: (code) => {
      void checkInTab(code);
    },
  })
  .mount('#app');
