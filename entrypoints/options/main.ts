import { browser } from 'wxt/browser';

import { createRelayInfo } from '#adapters/http/relay-http';

import { saveFile } from '#adapters/browser/save-file';
import {
  createKeyRing,
  createPageHistory,
  createPageItems,
  watchStored,
} from '#adapters/storage/index';
import OptionsPage from '#components/settings/OptionsPage.vue';
import { mountPage, startAnew } from '#entrypoints/page/mount';
import { ticketPorts } from '#entrypoints/page/ticket-ports';
import answers from '#locales/en/answer.json';
import options from '#locales/en/options.json';
import policy from '#locales/en/policy.json';
import items from '#locales/en/items.json';
import undo from '#locales/en/undo.json';
import { useAuthorities } from '#stores/authority/authorities';
import { useConnections } from '#stores/connections/connections';
import { historyPort } from '#stores/history/ports';
import { itemsPort } from '#stores/items/ports';
import { answersPort, optionsPort, policyChangesPort, saveFilePort } from '#stores/ports';
import { historySettingsPort, programPort } from '#stores/settings/ports';
import { relayInfoPort, tabsPort, teamChangesPort } from '#stores/team/ports';
import type { Verify } from '#core/verifier/index';
import { useSites } from '#stores/ticket/sites';
import { verifierPorts } from '#stores/verifier/index';

const history = createPageHistory();

let workers: Promise<Verify> | undefined;
/** Starts a verify worker with the first question: only an import that brings public keys asks one. */
const verify: Verify = {
  size: 1,
  ask: async (request) =>
    (
      await (workers ??= import('#adapters/verify-worker/verify-workers').then(
        ({ createVerifyWorkers }) => createVerifyWorkers(1),
      ))
    ).ask(request),
};

void mountPage(OptionsPage, {
  messages: { ...answers, ...options, ...policy, ...items, ...undo },
  texts: ['options', 'first', 'policy', 'team', 'verifier'],
  ports: (app) => {
    ticketPorts()(app);
    app
      .provide(verifierPorts.keyRing, createKeyRing())
      .provide(itemsPort, createPageItems())
      .provide(verifierPorts.verify, verify)
      .provide(historyPort, history)
      .provide(historySettingsPort, history)
      .provide(programPort, {
        version: browser.runtime.getManifest().version,
        browser: navigator.userAgent,
        fromSource: async () => (await browser.management.getSelf()).installType === 'development',
        restart: startAnew,
        reload: () => {
          location.reload();
        },
      })
      .provide(saveFilePort, saveFile)
      .provide(optionsPort, (section) => {
        if (section !== undefined) location.hash = section;
      })
      .provide(
        relayInfoPort,
        createRelayInfo({
          fetch: (...request) => fetch(...request),
          isOnline: () => navigator.onLine,
          now: () => Date.now(),
        }),
      )
      .provide(answersPort, watchStored.answers)
      .provide(teamChangesPort, watchStored.team)
      .provide(tabsPort, {
        isOpen: (id) =>
          browser.tabs.get(id).then(
            () => true,
            () => false,
          ),
        watchClosed(changed) {
          const closed = (): void => {
            changed();
          };
          browser.tabs.onRemoved.addListener(closed);
          return () => {
            browser.tabs.onRemoved.removeListener(closed);
          };
        },
      })
      .provide(policyChangesPort, watchStored.policy);
  },
  start: () => {
    const shown = {
      connections: useConnections(),
      authorities: useAuthorities(),
      sites: useSites(),
      // The section of keys watches them itself.
      'pinned-keys': undefined,
    };
    watchStored.lists((list) => void shown[list]?.load());
  },
});
