import { watchStored } from '#adapters/storage/index';
import PanelPage from '#components/ticket/PanelPage.vue';
import { mountPage } from '#entrypoints/page/mount';
import { ticketPorts } from '#entrypoints/page/ticket-ports';
import en from '#locales/en/ticket.json';
import { useRecent } from '#stores/check/index';
import { useConnections } from '#stores/connections/connections';
import { useTicket } from '#stores/ticket/ticket';

void mountPage(PanelPage, {
  messages: en,
  ports: ticketPorts(),
  start: () => {
    const connections = useConnections();
    watchStored.lists((list) => {
      if (list === 'connections') void connections.load();
    });
    const recent = useRecent();
    void recent.restore(useTicket().follow());
  },
});
