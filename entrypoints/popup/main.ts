import { defineAsyncComponent, h } from 'vue';

import CheckPanel from '#components/check/CheckPanel.vue';
import { mountPage } from '#entrypoints/page/mount';

const field = document.querySelector<HTMLTextAreaElement>('#code');
/** Takes over what was typed before this script ran. */
const typed = field?.value
  ? { text: field.value, start: field.selectionStart, end: field.selectionEnd }
  : undefined;

/** Loads what reads the tab, with its messages, after the field is ready to type into. */
const TicketBeside = defineAsyncComponent(async () => {
  const { readTicket, view } = await import('#entrypoints/popup/ticket-beside');
  readTicket(app);
  return view;
});

const app = mountPage(() => h(CheckPanel, { typed }, () => h(TicketBeside)));
