import { createPinia } from 'pinia';
import { type App, type Component, createApp } from 'vue';
import { browser } from 'wxt/browser';

import { copyText } from '#adapters/browser/clipboard';
import { listen } from '#adapters/browser/announcements';
import { createPermissions } from '#adapters/browser/permissions';
import { createPreferenceStore, openReplyTemplates } from '#adapters/storage/index';
import {
  type Catalogue,
  createCatalogue,
  firstLocale,
  isEnglish,
  type Translation,
} from '#components/i18n';
import { useTheme } from '#components/use-theme';
import { originPattern } from '#core/address/index';
import { popupPageOf } from '#core/preferences/index';
import { createAsk, ownBuild } from '#messaging/index';
import { commandsPort } from '#stores/commands/ports';
import { accessPort, askPort, clockPort, copyPort, optionsPort } from '#stores/ports';
import { useWorkerContact } from '#stores/worker-contact';
import { replyTemplatesPort } from '#stores/reply-templates/ports';
import { preferencePort } from '#stores/settings/ports';

interface Mounting {
  /** The page's own English texts, beside those every page has. */
  readonly messages?: object;
  /** The files of `locales/` that it needs in another language, beside those of the check. */
  readonly texts?: readonly string[];
  /** Binds what this page needs beside what every page does. */
  readonly ports?: (app: App, catalogue: Catalogue) => void;
  /** Runs once the page is mounted; stores may be used in it. */
  readonly start?: () => void;
}

/**
 * Mounts a page of the extension at `#app`, with every port bound to the browser, in the chosen theme and language. It
 * watches whether the worker still answers, and starts anew when everything was erased.
 */
export async function mountPage(
  page: Component,
  { messages, texts, ports, start }: Mounting = {},
): Promise<App> {
  const pinia = createPinia();
  const first = firstLocale();
  const { locale, messages: translated }: Translation = isEnglish(first)
    ? { locale: first }
    : await import('#entrypoints/page/translations').then(({ translate }) => translate(texts));
  const catalogue = createCatalogue(locale, messages, translated);
  const ask = createAsk((message) => browser.runtime.sendMessage(message));

  const app = createApp(page)
    .use(pinia)
    .use(catalogue)
    .provide(askPort, useWorkerContact(pinia).watched(ask, restartOnce))
    .provide(clockPort, () => Date.now())
    .provide(accessPort, (baseAddress) =>
      createPermissions(browser.permissions).request(originPattern(baseAddress)),
    )
    .provide(copyPort, copyText)
    .provide(optionsPort, (section) => {
      if (section === undefined) void browser.runtime.openOptionsPage();
      else void browser.tabs.create({ url: `/options.html#${section}` });
    })
    .provide(preferencePort, createPreferenceStore())
    .provide(replyTemplatesPort, openReplyTemplates)
    .provide(commandsPort, async () =>
      (await import('#entrypoints/page/commands')).openCommands(ask, locale),
    );
  ports?.(app, catalogue);
  app.mount('#app');
  listen('erasure', startAnew);
  app.runWithContext(() => {
    useTheme();
    start?.();
  });
  return app;
}

/** Forgets what pages themselves have stored, and opens this one anew. */
export function startAnew(): void {
  localStorage.clear();
  void browser.action.setPopup({ popup: popupPageOf('system') }).then(() => {
    location.reload();
  });
}

/** Reloads the extension, once per build, so that the worker and the pages are of one build. */
function restartOnce(): void {
  if (localStorage.getItem('build') === ownBuild) return;
  localStorage.setItem('build', ownBuild);
  // The agent needs time to read the notice.
  setTimeout(() => {
    browser.runtime.reload();
  }, 2_000);
}
