import { createPinia } from 'pinia';
import { createApp, nextTick } from 'vue';

import { copyText } from '#adapters/browser/clipboard';
import { createClockMemory } from '#adapters/storage/clock-memory';
import { createKeyRing } from '#adapters/storage/key-ring';
import { saveFile } from '#adapters/browser/save-file';
import { dropWaiting, peekWaiting } from '#adapters/storage/waiting-files';
import { createVerifyWorkers } from '#adapters/verify-worker/verify-workers';
import { createCatalogue, isEnglish, type Translation } from '#components/i18n';
import FrameNotice from '#components/verifier/FrameNotice.vue';
import { provideVerifier } from '#components/verifier/provide';
import VerifierApp from '#components/verifier/VerifierApp.vue';
import undo from '#locales/en/undo.json';
import verifier from '#locales/en/verifier.json';
import { focusAsBefore, readEarlyText } from '#pwa/early-text';
import { openLaunchedFiles } from '#pwa/launched-files';
import { registerOffline } from '#pwa/offline';
import { clockPort, copyPort } from '#stores/ports';
import { replyTemplatesPort } from '#stores/reply-templates/ports';
import { useOpenedDocuments } from '#stores/verifier/opened-documents';
import { useUpdates } from '#stores/verifier/updates';

// Prevents clickjacking on hosts that send no headers.
const isFramed = window.top !== window;

/** Mounts the site, in the browser's language: English at once. */
async function start(): Promise<void> {
  const first = navigator.language;
  const { locale, messages }: Translation = isEnglish(first)
    ? { locale: first }
    : await import('#pwa/translations').then(({ translate }) => translate());
  const pinia = createPinia();
  const app = createApp(isFramed ? FrameNotice : VerifierApp)
    .use(pinia)
    .use(createCatalogue([locale], { en: { ...verifier, ...undo } }, messages))
    .provide(clockPort, () => Date.now())
    .provide(copyPort, copyText)
    // The site has no page to edit templates on, and shares no storage with the extension: the built-in ones are used.
    .provide(replyTemplatesPort, null);
  provideVerifier(app, {
    home: { name: 'site' },
    verify: createVerifyWorkers(),
    keyRing: createKeyRing(),
    clockMemory: createClockMemory(),
    sharedContent: { peek: () => peekWaiting(Date.now()), drop: dropWaiting },
    saveFile,
  });
  const early = readEarlyText();
  app.mount('#app');
  if (early !== undefined && !isFramed) {
    if (early.text !== '') useOpenedDocuments(pinia).openText(early.text);
    void nextTick(() => {
      focusAsBefore(early);
    });
  }

  openLaunchedFiles((files) => {
    useOpenedDocuments(pinia).openFiles(files, false);
  });

  const updates = useUpdates(pinia);
  registerOffline({
    ready: () => {
      updates.offlineReady = true;
    },
    newer: (begin) => {
      updates.offer(begin);
    },
    replaced: () => {
      updates.replaced = true;
    },
  });
}

void start();
