import { createKeyRing } from '#adapters/key-ring';
import OptionsPage from '#components/options/OptionsPage.vue';
import { mountPage } from '#entrypoints/page/mount';
import { ticketPorts } from '#entrypoints/page/ticket-ports';
import en from '#locales/en.options.json';
import { keyRingPort } from '#stores/verifier/ports';

mountPage(OptionsPage, {
  words: { en },
  ports: (app) => {
    ticketPorts()(app);
    app.provide(keyRingPort, createKeyRing());
  },
});
