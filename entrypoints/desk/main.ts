import { browser } from 'wxt/browser';

import { listen } from '#adapters/browser/announcements';
import {
  createPageHistory,
  createPageItems,
  createPageJobs,
  createTables,
  forgetKeptAnswers,
  watchStored,
} from '#adapters/storage/index';
import { saveFile } from '#adapters/browser/save-file';
import DeskPage from '#components/desk/DeskPage.vue';
import { mountPage } from '#entrypoints/page/mount';
import { createOpenVerifier } from '#entrypoints/page/open-verifier';
import answers from '#locales/en/answer.json';
import desk from '#locales/en/desk.json';
import items from '#locales/en/items.json';
import policy from '#locales/en/policy.json';
import undo from '#locales/en/undo.json';
import { jobsPort } from '#stores/bulk/ports';
import { useConnections } from '#stores/connections/connections';
import { historyChangesPort, historyPort } from '#stores/history/ports';
import { itemsPort } from '#stores/items/ports';
import { policyChangesPort, saveFilePort } from '#stores/ports';
import { inspectPort } from '#stores/ticket/ports';

const tables = createTables();
const history = createPageHistory(tables);

void mountPage(DeskPage, {
  messages: { ...answers, ...desk, ...items, ...policy, ...undo },
  texts: ['desk', 'policy', 'verifier', 'authority'],
  ports: (app) => {
    app
      .provide(jobsPort, {
        ...createPageJobs(tables),
        watch: (listener) => listen('jobs', listener),
      })
      .provide(itemsPort, createPageItems(tables))
      .provide(historyPort, {
        ...history,
        erase: async () => {
          const restore = await history.erase();
          // The answers that pages keep do not come back: a lock between removes them for good.
          await forgetKeptAnswers(browser.storage.session);
          return restore;
        },
      })
      .provide(historyChangesPort, watchStored.history)
      .provide(policyChangesPort, watchStored.policy)
      .provide(inspectPort, createOpenVerifier())
      .provide(saveFilePort, saveFile);
  },
  start: () => {
    const connections = useConnections();
    watchStored.lists((list) => {
      if (list === 'connections') void connections.load();
    });
  },
});
