import { createPinia } from 'pinia';
import { type App, type Component, createApp } from 'vue';
import type { Composer } from 'petite-vue-i18n';
import { browser } from 'wxt/browser';

import { copyText } from '#adapters/browser/clipboard';
import { createErasureChannel } from '#adapters/browser/erasure-channel';
import { createPermissions } from '#adapters/browser/permissions';
import { createPreferenceStore } from '#adapters/storage/preferences';
import { createCatalogue, type PageMessages } from '#components/i18n';
import { useTheme } from '#components/use-theme';
import { originPattern } from '#core/connections/origin';
import { createAsk } from '#messaging/ask';
import { startAnew } from '#entrypoints/page/start-anew';
import { useWorkerContact } from '#stores/worker-contact';
import { accessPort, askPort, clockPort, copyPort, optionsPort } from '#stores/ports';
import { type ReplyTemplateStore, replyTemplatesPort } from '#stores/reply-templates/ports';
import { preferencePort } from '#stores/settings/ports';

interface Mounting {
  /** The page's own messages, beside those every page has. */
  readonly messages?: PageMessages;
  /** Binds what this page needs beside what every page does. */
  readonly ports?: (app: App, catalogue: Pick<Composer, 'mergeLocaleMessage'>) => void;
  /** Runs once the page is mounted; stores may be used in it. */
  readonly start?: () => void;
}

/** Loads what reads reply templates when they are first needed: the popup opens without it. */
const replyTemplates: ReplyTemplateStore = {
  read: async () => (await loadReplyTemplates()).read(),
  write: async (settings) => (await loadReplyTemplates()).write(settings),
};

async function loadReplyTemplates(): Promise<ReplyTemplateStore> {
  const { createReplyTemplateStore } = await import('#adapters/storage/reply-templates');
  return createReplyTemplateStore(browser.storage.local);
}

/**
 * Mounts a page of the extension at `#app`, with every port bound to the browser, in the chosen theme. It watches
 * whether the worker still answers, and starts anew when everything was erased.
 */
export function mountPage(page: Component, { messages, ports, start }: Mounting = {}): App {
  const pinia = createPinia();
  const catalogue = createCatalogue(navigator.languages, messages);
  const ask = createAsk((message) => browser.runtime.sendMessage(message));

  const app = createApp(page)
    .use(pinia)
    .use(catalogue)
    .provide(askPort, useWorkerContact(pinia).watched(ask))
    .provide(clockPort, () => Date.now())
    .provide(accessPort, (baseAddress) =>
      createPermissions(browser.permissions).request(originPattern(baseAddress)),
    )
    .provide(copyPort, copyText)
    .provide(optionsPort, () => {
      void browser.runtime.openOptionsPage();
    })
    .provide(preferencePort, createPreferenceStore())
    .provide(replyTemplatesPort, replyTemplates);
  ports?.(app, catalogue.global);
  app.mount('#app');
  createErasureChannel().subscribe(startAnew);
  app.runWithContext(() => {
    useTheme();
    start?.();
  });
  return app;
}
