import { defineAsyncComponent, h } from 'vue';

import CheckPanel from '#components/check/CheckPanel.vue';
import { mountPage } from '#entrypoints/page/mount';
import en from '#locales/en.ticket.json';

const field = document.querySelector<HTMLTextAreaElement>('#code');
/** What was typed into the static page meanwhile. */
const typed = field?.value
  ? { text: field.value, start: field.selectionStart, end: field.selectionEnd }
  : undefined;

/** The field comes first: what reads the tab is loaded once it can be typed into. */
const TicketBeside = defineAsyncComponent(async () => {
  const { readTicket, view } = await import('#entrypoints/popup/ticket-beside');
  readTicket(app);
  return view;
});

const app = mountPage(() => h(CheckPanel, { typed }, () => h(TicketBeside)), { messages: { en } });
