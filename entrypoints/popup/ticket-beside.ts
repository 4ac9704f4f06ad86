import { type App, defineComponent, h } from 'vue';
import { useI18n } from '#components/i18n';
import { browser } from 'wxt/browser';

import TicketBeside from '#components/ticket/TicketBeside.vue';
import { ticketPorts } from '#entrypoints/page/ticket-ports';
import en from '#locales/en/ticket.json';
import { useRecent } from '#stores/check/index';
import { useTicket } from '#stores/ticket/ticket';

/** Brings its messages along: nobody needs them to type or to check. */
export const view = defineComponent(() => {
  useI18n().addEnglish(en);
  return () => h(TicketBeside);
});

/** Binds what the view needs and reads the tab that the popup was opened over. */
export function readTicket(app: App): void {
  void browser.tabs.getCurrent().then((tab) => {
    if (tab !== undefined) document.documentElement.dataset['inTab'] = '';
  });
  ticketPorts()(app);
  app.runWithContext(() => {
    const recent = useRecent();
    void recent.restore(useTicket().open());
  });
}
