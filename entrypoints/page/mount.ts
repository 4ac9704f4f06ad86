import { createPinia } from 'pinia';
import { type App, type Component, createApp } from 'vue';
import { browser } from 'wxt/browser';

import { copyText } from '#adapters/browser/clipboard';
import { createPermissions } from '#adapters/browser/permissions';
import { createPreferenceStore } from '#adapters/storage/preferences';
import { createReplyTemplateStore } from '#adapters/storage/reply-templates';
import { createCatalogue, type PageMessages } from '#components/i18n';
import { originPattern } from '#core/connections/origin';
import { createAsk } from '#messaging/ask';
import { useWorkerContact } from '#stores/worker-contact';
import { accessPort, askPort, clockPort, copyPort, optionsPort } from '#stores/ports';
import { replyTemplatesPort } from '#stores/reply-templates/ports';
import { preferencePort } from '#stores/settings/ports';

interface Mounting {
  readonly words?: PageMessages;
  /** Binds what this page needs beside what every page does. */
  readonly ports?: (app: App) => void;
  /** Called once the page stands, where stores may be used. */
  readonly start?: () => void;
}

/** Mounts a page of the extension at `#app`, with every port bound to the browser. */
export function mountPage(page: Component, { words, ports, start }: Mounting = {}): App {
  const pinia = createPinia();
  const ask = createAsk((question) => browser.runtime.sendMessage(question));
  const permissions = createPermissions(browser.permissions);

  const app = createApp(page)
    .use(pinia)
    .use(createCatalogue(navigator.languages, words))
    .provide(askPort, useWorkerContact(pinia).watched(ask))
    .provide(clockPort, () => Date.now())
    .provide(accessPort, (baseAddress) => permissions.request(originPattern(baseAddress)))
    .provide(copyPort, copyText)
    .provide(optionsPort, () => {
      void browser.runtime.openOptionsPage();
    })
    .provide(preferencePort, createPreferenceStore())
    .provide(replyTemplatesPort, createReplyTemplateStore());
  ports?.(app);
  app.mount('#app');
  if (start !== undefined) app.runWithContext(start);
  return app;
}
