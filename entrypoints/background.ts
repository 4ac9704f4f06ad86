import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';

import { createAlarms } from '#adapters/browser/alarms';
import { createPendingTexts } from '#adapters/storage/pending-text';
import { createBrowserMessages } from '#adapters/browser/browser-messages';
import { createAuthorityControl } from '#adapters/http/authority-control';
import { createAuthorityHttp } from '#adapters/http/authority-http';
import { createAuthorityStore } from '#adapters/storage/authority-store';
import { createConnectionStore } from '#adapters/storage/connection-store';
import { createHistoryStore } from '#adapters/storage/history-store';
import { createItemCache } from '#adapters/storage/item-cache';
import { createJobProgressChannel } from '#adapters/browser/job-progress-channel';
import { createJobStore } from '#adapters/storage/job-store';
import { tryWithLock } from '#adapters/browser/locks';
import { createContentScripts } from '#adapters/browser/content-scripts';
import { createExtensionTabs } from '#adapters/browser/extension-tabs';
import { createPageHandoff } from '#adapters/storage/page-handoff';
import { createPermissions } from '#adapters/browser/permissions';
import { createSecretStore } from '#adapters/secrets/secret-store';
import { createWrappingKeys } from '#adapters/secrets/wrapping-keys';
import { createSellerHttp, plainUserAgent } from '#adapters/http/seller-http';
import { createSessionStore } from '#adapters/storage/session-store';
import { createSidePanel } from '#adapters/browser/side-panel';
import { createSiteStore } from '#adapters/storage/site-store';
import { createQuarantine } from '#adapters/storage/quarantine';
import { createTables } from '#adapters/storage/tables';
import { restrictToTrustedContexts } from '#adapters/storage/storage-area';
import { createUserAgentRules, noUserAgentRules } from '#adapters/http/user-agent-rule';
import type { AlarmName } from '#background/dependencies';
import { createGestures } from '#background/ticket/gestures';
import { bindMenus } from '#background/ticket/menus';
import { bindOmnibox } from '#background/ticket/omnibox';
import { createWorker } from '#background/worker';
import { serve } from '#messaging/serve';

/** Starts the worker. Every listener is registered before the first await, or the browser would miss it. */
export default defineBackground({
  type: 'module',
  main() {
    const now = (): number => Date.now();
    const { local, session } = browser.storage;
    const alarms = createAlarms<AlarmName>(browser.alarms);
    const permissions = createPermissions(browser.permissions);
    const jobProgress = createJobProgressChannel();
    const report = (task: Promise<void>): void => {
      task.catch((error: unknown) => {
        log('worker', error instanceof Error ? error.name : typeof error);
      });
    };

    const root = browser.runtime.getURL('/').replace(/\/$/u, '');
    const browserMessages = createBrowserMessages();
    const pendingTexts = createPendingTexts(session);
    const panel = createSidePanel(browser, `${root}/sidepanel.html`);
    const network = {
      fetch: (...request: Parameters<typeof fetch>) => fetch(...request),
      isOnline: () => navigator.onLine,
      now,
    };

    const tables = createTables();
    const quarantine = createQuarantine(tables);
    const worker = createWorker({
      store: createConnectionStore(tables),
      secrets: createSecretStore({
        ...{ local, session, quarantine, now },
        wrappingKeys: createWrappingKeys(),
      }),
      quarantine,
      sessionCache: createSessionStore(session),
      items: createItemCache(tables),
      jobs: createJobStore(tables),
      history: createHistoryStore(tables),
      publishProgress: (update) => {
        jobProgress.publish(update);
      },
      tryWithLock,
      authorities: createAuthorityStore(tables),
      authorityHttp: (address) => createAuthorityHttp(address, network),
      authorityControl: (address, token) => createAuthorityControl(address, token, network),
      http: createSellerHttp({
        ...network,
        setsUserAgent: import.meta.env.FIREFOX,
      }),
      permissions,
      rules: import.meta.env.FIREFOX
        ? noUserAgentRules
        : createUserAgentRules(browser.declarativeNetRequest, browser.runtime.id, plainUserAgent),
      sites: createSiteStore(tables),
      scripts: createContentScripts(browser.scripting, browser.tabs),
      ...{ panel, pendingTexts, browserMessages },
      scheduleAlarm: (name, moment) => alarms.scheduleAlarm(name, moment),
      now,
    });

    serve(browser.runtime.onMessage, worker.handlers, {
      self: { id: browser.runtime.id, origin: root },
      log,
    });
    alarms.onAlarm({
      bulk: () => {
        report(worker.alarmHandlers.bulk());
      },
      'finalise-authorities': () => {
        report(worker.alarmHandlers['finalise-authorities']());
      },
      'finalise-deletions': () => {
        report(worker.alarmHandlers['finalise-deletions']());
      },
      lock: () => {
        report(worker.alarmHandlers.lock());
      },
      'prune-replies': () => {
        report(worker.alarmHandlers['prune-replies']());
      },
    });
    permissions.onChange(() => {
      report(worker.permissionsChanged());
    });

    const gestures = createGestures({
      ...{ panel, pendingTexts, now },
      pageHandoff: createPageHandoff(session),
      tabs: createExtensionTabs(browser.tabs, root),
    });
    const fillMenus = bindMenus(browser.contextMenus, browserMessages, gestures, report, {
      reportsLinkText: import.meta.env.FIREFOX,
    });
    bindOmnibox(browser.omnibox, browserMessages, gestures, report);
    browser.commands.onCommand.addListener((name, tab) => {
      if (name === 'side-panel' && tab !== undefined) report(gestures.showPanel(tab.windowId));
    });

    const tidy = (): void => {
      report(worker.tidy());
    };
    browser.runtime.onInstalled.addListener(() => {
      tidy();
      report(fillMenus());
    });
    browser.runtime.onStartup.addListener(tidy);

    report(restrictToTrustedContexts(local));
    report(restrictToTrustedContexts(session));
    report(worker.start());
  },
});

/** Logs the topic and the class of an error, never its text, which could quote a key. */
function log(topic: string, error: string): void {
  console.error(`counterfoil: ${topic}: ${error}`);
}
