import { defineAsyncComponent, h } from 'vue';

import CheckPanel from '#components/check/CheckPanel.vue';
import { mountPage } from '#entrypoints/page/mount';

const field = document.querySelector<HTMLTextAreaElement>('#code');
const TicketBeside = defineAsyncComponent(() => beside);

const app = mountPage(() => {
  // Takes over what was typed into the page, which is painted and takes text before this script runs.
  const typed = field?.value
    ? { text: field.value, start: field.selectionStart, end: field.selectionEnd }
    : undefined;
  return h(CheckPanel, { typed }, () => h(TicketBeside));
});

/** Loads what reads the tab, with its messages, after the field is ready to type into. */
const beside = import('#entrypoints/popup/ticket-beside').then(async ({ readTicket, view }) => {
  readTicket(await app);
  return view;
});
