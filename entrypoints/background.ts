import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';

import { createAlarms } from '#adapters/alarms';
import { createArrivals } from '#adapters/arrivals';
import { createBrowserWords } from '#adapters/browser-words';
import { createAuthorityControl } from '#adapters/authority-control';
import { createAuthorityHttp } from '#adapters/authority-http';
import { createAuthorityStore } from '#adapters/authority-store';
import { createConnectionStore } from '#adapters/connection-store';
import { createHistoryStore } from '#adapters/history-store';
import { createItemCache } from '#adapters/item-cache';
import { createJobNews } from '#adapters/job-news';
import { createJobStore } from '#adapters/job-store';
import { runAlone } from '#adapters/locks';
import { createContentScripts } from '#adapters/content-scripts';
import { createExtensionTabs } from '#adapters/extension-tabs';
import { createHandover } from '#adapters/handover';
import { createPermissions } from '#adapters/permissions';
import { createSecretStore } from '#adapters/secret-store';
import { createWrappingKeys } from '#adapters/secret-wrapping-keys';
import { createSellerHttp, plainUserAgent } from '#adapters/seller-http';
import { createSessionStore } from '#adapters/session-store';
import { createSidePanel } from '#adapters/side-panel';
import { createSiteStore } from '#adapters/site-store';
import { restrictToTrustedContexts } from '#adapters/storage-area';
import { createUserAgentRules, noUserAgentRules } from '#adapters/user-agent-rule';
import { createGestures } from '#background/gestures';
import { bindMenus } from '#background/menus';
import { bindOmnibox } from '#background/omnibox';
import { type AlarmName, createWorker } from '#background/worker';
import { serve } from '#messaging/serve';

/** The worker, as a table of contents. Every listener is registered before anything is awaited. */
export default defineBackground({
  type: 'module',
  main() {
    const now = (): number => Date.now();
    const { local, session } = browser.storage;
    const alarms = createAlarms<AlarmName>(browser.alarms);
    const permissions = createPermissions(browser.permissions);
    const jobNews = createJobNews();
    const report = (task: Promise<void>): void => {
      task.catch((error: unknown) => {
        log('worker', error instanceof Error ? error.name : typeof error);
      });
    };

    const root = browser.runtime.getURL('/').replace(/\/$/u, '');
    const words = createBrowserWords();
    const arrivals = createArrivals(session);
    const panel = createSidePanel(browser, `${root}/sidepanel.html`);
    const network = {
      fetch: (...request: Parameters<typeof fetch>) => fetch(...request),
      isOnline: () => navigator.onLine,
      now,
    };

    const worker = createWorker({
      store: createConnectionStore(),
      secrets: createSecretStore({ local, session, wrappingKeys: createWrappingKeys(), now }),
      kept: createSessionStore(session),
      items: createItemCache(),
      jobs: createJobStore(),
      history: createHistoryStore(),
      announce: (news) => {
        jobNews.announce(news);
      },
      runAlone,
      authorities: createAuthorityStore(),
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
      sites: createSiteStore(),
      scripts: createContentScripts(browser.scripting, browser.tabs),
      ...{ panel, arrivals, words },
      ringAt: (name, moment) => alarms.ringAt(name, moment),
      now,
    });

    serve(browser.runtime.onMessage, worker.handlers, {
      self: { id: browser.runtime.id, origin: root },
      log,
    });
    alarms.onRing({
      bulk: () => {
        report(worker.bells.bulk());
      },
      'finalise-authorities': () => {
        report(worker.bells['finalise-authorities']());
      },
      'finalise-deletions': () => {
        report(worker.bells['finalise-deletions']());
      },
      lock: () => {
        report(worker.bells.lock());
      },
      'prune-replies': () => {
        report(worker.bells['prune-replies']());
      },
    });
    permissions.onChange(() => {
      report(worker.permissionsChanged());
    });

    const gestures = createGestures({
      ...{ panel, arrivals, now },
      handover: createHandover(session),
      tabs: createExtensionTabs(browser.tabs, root),
    });
    const fillMenus = bindMenus(browser.contextMenus, words, gestures, report, {
      tellsLinkText: import.meta.env.FIREFOX,
    });
    bindOmnibox(browser.omnibox, words, gestures, report);
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

/** What went wrong, by topic and class of error; its text could quote a key and is left out. */
function log(topic: string, error: string): void {
  console.error(`counterfoil: ${topic}: ${error}`);
}
