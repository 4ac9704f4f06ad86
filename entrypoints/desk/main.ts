import { createHistoryStore } from '#adapters/storage/history-store';
import { createItemCache } from '#adapters/storage/item-cache';
import { createJobProgressChannel } from '#adapters/browser/job-progress-channel';
import { createJobStore } from '#adapters/storage/job-store';
import { saveFile } from '#adapters/browser/save-file';
import DeskPage from '#components/desk/DeskPage.vue';
import { mountPage } from '#entrypoints/page/mount';
import answers from '#locales/en.answer.json';
import desk from '#locales/en.desk.json';
import { jobsPort } from '#stores/bulk/ports';
import { historyPort } from '#stores/history/ports';
import { itemsPort } from '#stores/items/ports';
import { saveFilePort } from '#stores/verifier/ports';

const progress = createJobProgressChannel();

mountPage(DeskPage, {
  messages: { en: { ...answers, ...desk } },
  ports: (app) => {
    app
      .provide(jobsPort, { ...createJobStore(), watch: (listener) => progress.subscribe(listener) })
      .provide(itemsPort, createItemCache())
      .provide(historyPort, createHistoryStore())
      .provide(saveFilePort, saveFile);
  },
});
