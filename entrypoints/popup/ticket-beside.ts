import type { App } from 'vue';

import { ticketPorts } from '#entrypoints/page/ticket-ports';
import { useTicket } from '#stores/ticket/ticket';

export { default as view } from '#components/ticket/TicketBeside.vue';

/** Binds what the view needs and reads the tab that the popup was opened over. */
export function readTicket(app: App): void {
  ticketPorts()(app);
  app.runWithContext(() => {
    void useTicket().open();
  });
}
