import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { browser } from 'wxt/browser';

import { copyText } from '#adapters/clipboard';
import { createClockMemory } from '#adapters/clock-memory';
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
      return text === undefined ? undefined : { text, files: [], trusted: true };
    },
    drop: () => handover.drop('license'),
  })
  .provide(homePort, {
    name: 'extension',
    checkCode: (code) => {
      void handover
        .leave('code', code, Date.now())
        .then(() => browser.tabs.create({ url: browser.runtime.getURL('/popup.html') }));
    },
  })
  .mount('#app');
