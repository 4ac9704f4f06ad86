import { createHistoryStore } from '#adapters/storage/history-store';
import { createItemCache } from '#adapters/storage/item-cache';
import { createJobProgressChannel } from '#adapters/browser/job-progress-channel';
import { createJobStore } from '#adapters/storage/job-store';
import { createTables } from '#adapters/storage/tables';
import { saveFile } from '#adapters/browser/save-file';
import DeskPage from '#components/desk/DeskPage.vue';
import { mountPage } from '#entrypoints/page/mount';
import answers from '#locales/en.answer.json';
import desk from '#locales/en.desk.json';
import { jobsPort } from '#stores/bulk/ports';
import { historyPort } from '#stores/history/ports';
import { itemsPort } from '#stores/items/ports';
import { saveFilePort } from '#stores/ports';

const progress = createJobProgressChannel();
const tables = createTables();

mountPage(DeskPage, {
  messages: { en: { ...answers, ...desk } },
  ports: (app) => {
    app
      .provide(jobsPort, {
        ...createJobStore(tables),
        watch: (listener) => progress.subscribe(listener),
      })
      .provide(itemsPort, createItemCache(tables))
      .provide(historyPort, createHistoryStore(tables))
      .provide(saveFilePort, saveFile);
  },
});
