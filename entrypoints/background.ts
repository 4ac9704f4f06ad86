import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';

import { createAlarms } from '#adapters/browser/alarms';
import { createJoinTabs } from '#adapters/browser/join-tabs';
import { createBrowserMessages } from '#adapters/browser/browser-messages';
import { createContentScripts } from '#adapters/browser/content-scripts';
import { createExtensionTabs } from '#adapters/browser/extension-tabs';
import { createManagedSettings } from '#adapters/browser/managed-settings';
import { createPermissions } from '#adapters/browser/permissions';
import { popupPageOf } from '#core/preferences/index';
import { delay } from '#core/time/index';
import { createSecretStore, secretKeys, createWrappingKeys } from '#adapters/secrets/index';
import { createSellerHttp, plainUserAgent } from '#adapters/http/http-exchange';
import { createSidePanel } from '#adapters/browser/side-panel';
import { openWorkerStorage } from '#adapters/storage/worker/index';
import { createLaterScript } from '#adapters/browser/later-script';
import type { AdministrationScript } from '#background/administration';
import { createUserAgentRules, noUserAgentRules } from '#adapters/http/user-agent-rule';
import type { AlarmName } from '#background/dependencies';
import { bindOmnibox, createGestures } from '#background/ticket/gestures';
import { bindMenuClicks, createMenus } from '#background/ticket/menus';
import { createWorker } from '#background/worker';
import type { laterReaders } from '#core/marketplaces/asking';
import { ownBuild, serve } from '#messaging/index';

/** Milliseconds before the worker does what no event asked for: the event that started it is answered first. */
const startDelayMs = 150;

/**
 * Starts the worker's first script, which has what a check and a ticket need. `createLaterScript` loads the two others.
 *
 * Every listener is registered before the first await, or the browser would miss its event. What is needed only later
 * gets `browser` itself: reading one interface from it costs the start a quarter of a millisecond.
 */
export default defineBackground({
  main() {
    const now = (): number => Date.now();
    let outdated = false;
    const records = openWorkerStorage(browser.storage, () => !outdated, secretKeys);
    const alarms = createAlarms<AlarmName>(browser.alarms);
    const permissions = createPermissions(browser.permissions);
    const managedSettings = createManagedSettings(browser.storage);
    const administrationScript = createLaterScript('administration.js', {
      name: 'counterfoilAdministration',
      log,
    }) as () => AdministrationScript | undefined;
    const loadReaders = createLaterScript('marketplaces.js', {
      name: 'counterfoilReaders',
      log,
    }) as () => typeof laterReaders | undefined;
    const report = (task: Promise<void>): void => {
      task.catch((error: unknown) => {
        log('worker', error instanceof Error ? error.name : typeof error);
      });
    };

    const root = browser.runtime.getURL('/').replace(/\/$/u, '');
    const browserMessages = createBrowserMessages();
    const panel = createSidePanel(browser, `${root}/sidepanel.html`);
    const network = {
      fetch: (...request: Parameters<typeof fetch>) => fetch(...request),
      isOnline: () => navigator.onLine,
      now,
    };

    const joinTabs = createJoinTabs(browser, (tab) => {
      report(worker.tabMoved(tab));
    });
    const tabs = createExtensionTabs(browser.tabs, root);
    const menus = createMenus(browser.contextMenus, browserMessages, {
      reportsLinkText: import.meta.env.FIREFOX,
    });
    const contentScripts = createContentScripts(browser);
    const worker = createWorker(
      {
        ...records,
        secrets: createSecretStore({
          ...records,
          ...records.remembered,
          now,
          wrappingKeys: createWrappingKeys(),
        }),
        pause: delay,
        joinTabs,
        managedSettings,
        sellerHttp: createSellerHttp({
          ...network,
          setsUserAgent: import.meta.env.FIREFOX,
        }),
        loadReaders,
        permissions,
        userAgentRules: import.meta.env.FIREFOX
          ? noUserAgentRules
          : createUserAgentRules(browser, browser.runtime.id, plainUserAgent),
        contentScripts,
        menus,
        panel,
        browserMessages,
        report,
        scheduleAlarm: (name, moment) => alarms.scheduleAlarm(name, moment),
        ensureAlarm: (name, moment) => alarms.ensureAlarm(name, moment),
        now,
      },
      (first) => administrationScript()?.(first, { records, network, tabs }),
    );

    serve(browser.runtime.onMessage, worker, {
      self: { id: browser.runtime.id, origin: root, build: ownBuild },
      loadOthers: () => worker.loadAdministration(),
      log,
      otherBuild: () => {
        outdated = true;
      },
    });
    alarms.onAlarm(worker.alarmHandlers, report);
    // A sign-in outlives the worker. Without one, the first start stops watching.
    joinTabs.watch();
    managedSettings.onChange(() => {
      report(worker.policyChanged());
    });
    permissions.onChange(() => {
      report(worker.permissionsChanged());
    });

    const gestures = createGestures({
      ...records,
      panel,
      scripts: contentScripts,
      tabs,
      now,
    });
    const inspectLink: typeof worker.inspectLink = (link) => worker.inspectLink(link);
    bindMenuClicks(browser.contextMenus, { ...gestures, inspectLink }, report);
    bindOmnibox(browser.omnibox, gestures, report);
    browser.commands.onCommand.addListener((name, tab) => {
      if (name === 'side-panel' && tab !== undefined) report(gestures.showPanel(tab.windowId));
      if (name === 'next-code' && tab?.id !== undefined) report(gestures.goToNextCode(tab.id));
    });

    const tidy = (): void => {
      report(worker.tidy());
    };
    // The browser forgets the popup's page when it ends or the extension is loaded again.
    const themePopup = async (): Promise<void> => {
      const preferences = await records.preferences.read();
      await browser.action.setPopup({ popup: popupPageOf(preferences?.['theme']) });
    };
    browser.runtime.onInstalled.addListener(() => {
      tidy();
      report(themePopup());
      report(menus.fill());
    });
    browser.runtime.onStartup.addListener(() => {
      tidy();
      report(themePopup());
    });

    report(records.restrict());
    setTimeout(() => {
      const description = browserMessages('omniboxSuggestion');
      void browser.omnibox.setDefaultSuggestion({ description });
      report(worker.start());
    }, startDelayMs);
  },
});

/** Logs the topic and the class of an error, never its text, which could quote a key. */
function log(topic: string, error: string): void {
  console.error(`counterfoil: ${topic}: ${error}`);
}
