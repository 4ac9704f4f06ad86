import { browser } from 'wxt/browser';
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import type { TicketWorld } from '#entrypoints/ticket-view/world';
import type { Answer, Question } from '#messaging/envelope';
import type { TicketNews } from '#messaging/ticket-script';

/**
 * The first stage of the ticket script, in every document of an allowed host: it asks whether the script may run here, and
 * starts the second stage, which the worker brings along with its answer. Nothing of the page is looked at before that.
 */
export default defineUnlistedScript(() => {
  const world = globalThis as TicketWorld & typeof globalThis;
  if (world.counterfoilAsked) return;
  world.counterfoilAsked = true;

  let end: (() => void) | undefined;
  const stop = (): void => {
    end?.();
    end = undefined;
    browser.runtime.onMessage.removeListener(hear);
    removeEventListener('pageshow', comeBack);
    world.counterfoilAsked = false;
  };
  const hear = (news: TicketNews): undefined => {
    if (news.ticket === 'ended') stop();
    else world.counterfoilChecked?.(news.code, news.chip);
  };
  // A page from the browser's cache wakes up as it was, though the agent may have changed their mind meanwhile.
  const comeBack = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    end?.();
    void ask();
  };
  const ask = async (): Promise<void> => {
    const question: Question = { topic: 'ticket.start', nonce: crypto.randomUUID(), body: {} };
    const answer = (await browser.runtime.sendMessage(question).catch(() => undefined)) as
      Answer<'ticket.start'> | undefined;
    if (answer?.answered !== true || answer.reply === null || !world.counterfoilAsked) stop();
    else end = world.counterfoilView?.(answer.reply);
  };

  browser.runtime.onMessage.addListener(hear);
  addEventListener('pageshow', comeBack);
  void ask();
});
