import TicketPanel from '#components/ticket/TicketPanel.vue';
import { mountPage } from '#entrypoints/page/mount';
import { ticketPorts } from '#entrypoints/page/ticket-ports';
import en from '#locales/en.ticket.json';
import { useTicket } from '#stores/ticket';

const field = document.querySelector<HTMLTextAreaElement>('#code');
/** What was typed into the static page meanwhile. */
const typed = field?.value
  ? { text: field.value, start: field.selectionStart, end: field.selectionEnd }
  : undefined;

mountPage(TicketPanel, {
  props: { typed },
  words: { en },
  ports: ticketPorts(),
  start: () => {
    void useTicket().open();
  },
});
