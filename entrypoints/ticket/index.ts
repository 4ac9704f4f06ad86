import { browser } from 'wxt/browser';
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import type {
  AskFromPage,
  ChipsHandle,
  ScriptGlobals,
} from '#entrypoints/ticket-view/script-globals';
import type { ReplyMessage, RequestMessage } from '#messaging/envelope';
import type { TicketUpdate } from '#messaging/ticket/protocol';

/**
 * The first stage of the ticket script, in every document of an allowed host: it asks whether the script may run here, and
 * starts the second stage, which the worker brings along with its answer. Nothing of the page is looked at before that.
 */
export default defineUnlistedScript(() => {
  const world = globalThis as ScriptGlobals & typeof globalThis;
  if (world.counterfoilAsked) return;
  world.counterfoilAsked = true;

  let chips: ChipsHandle | undefined;
  let stopped = false;
  const ask: AskFromPage = async (topic, body) => {
    const question: RequestMessage = { topic, body, nonce: crypto.randomUUID() };
    try {
      const answer = await browser.runtime.sendMessage<
        RequestMessage,
        ReplyMessage<typeof topic> | undefined
      >(question);
      return answer?.answered ? answer.reply : undefined;
    } catch {
      // A worker that was stopped in between is asked again by the next click; an extension that is gone, never.
      if (!browser.runtime.id) stop();
      return undefined;
    }
  };
  const stop = (): void => {
    stopped = true;
    chips?.end();
    chips = undefined;
    browser.runtime.onMessage.removeListener(hear);
    removeEventListener('pageshow', comeBack);
    world.counterfoilAsked = false;
  };
  const hear = (news: TicketUpdate): undefined => {
    if (news.ticket === 'ended') stop();
    else chips?.checked(news.code, news.chip);
  };
  // A page from the browser's cache wakes up as it was, though the agent may have changed their mind meanwhile.
  const comeBack = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    chips?.end();
    void start();
  };
  const start = async (): Promise<void> => {
    const orders = await ask('ticket.start', {});
    // Told to end meanwhile: another run of this script may have begun.
    if (stopped) return;
    if (orders) chips = world.counterfoilView?.(orders, ask);
    else stop();
  };

  browser.runtime.onMessage.addListener(hear);
  addEventListener('pageshow', comeBack);
  void start();
});
