import { saveFile } from '#adapters/browser/save-file';
import { createKeyRing } from '#adapters/storage/key-ring';
import OptionsPage from '#components/settings/OptionsPage.vue';
import { mountPage } from '#entrypoints/page/mount';
import { ticketPorts } from '#entrypoints/page/ticket-ports';
import answers from '#locales/en.answer.json';
import options from '#locales/en.options.json';
import { saveFilePort } from '#stores/ports';
import { keyRingPort } from '#stores/verifier/ports';

mountPage(OptionsPage, {
  messages: { en: { ...answers, ...options } },
  ports: (app) => {
    ticketPorts()(app);
    app.provide(keyRingPort, createKeyRing()).provide(saveFilePort, saveFile);
  },
});
