import OptionsPage from '#components/options/OptionsPage.vue';
import { mountPage } from '#entrypoints/page/mount';
import { ticketPorts } from '#entrypoints/page/ticket-ports';
import en from '#locales/en.options.json';

mountPage(OptionsPage, { words: { en }, ports: ticketPorts() });
