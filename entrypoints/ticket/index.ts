import { browser } from 'wxt/browser';
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import type { AskFromPage, ChipsHandle, ScriptGlobals } from '#components/chips/chips';
import {
  ownBuild,
  type ReplyMessage,
  type RequestMessage,
  type TicketUpdate,
} from '#messaging/index';

/**
 * Runs the first stage of the ticket script in every document of an allowed host: asks the worker whether the script
 * may run here, and starts the second stage, which the worker injects with its reply. Reads nothing of the page before
 * that.
 */
export default defineUnlistedScript(() => {
  const isolated = globalThis as ScriptGlobals & typeof globalThis;
  if (isolated.counterfoilStarted) return;
  isolated.counterfoilStarted = true;

  let chips: ChipsHandle | undefined;
  let stopped = false;
  const ask: AskFromPage = async (topic, body) => {
    const request: RequestMessage = { topic, body, nonce: crypto.randomUUID(), build: ownBuild };
    try {
      const message = await browser.runtime.sendMessage<
        RequestMessage,
        ReplyMessage<typeof topic> | undefined
      >(request);
      return message?.answered ? message.reply : undefined;
    } catch {
      // A stopped worker starts with the next request; a removed extension has no id and never replies.
      if (!browser.runtime.id) stop();
      return undefined;
    }
  };
  const stop = (): void => {
    stopped = true;
    chips?.end();
    chips = isolated.counterfoilChips = undefined;
    browser.runtime.onMessage.removeListener(handleUpdate);
    removeEventListener('pageshow', handlePageShow);
    isolated.counterfoilStarted = false;
  };
  const handleUpdate = (update: TicketUpdate): undefined => {
    if (update.ticket === 'ended') stop();
    // The second stage may still be on its way.
    else void started.then(() => chips?.checked(update.code, update.chip));
  };
  // A page restored from the back/forward cache asks again, as the site's setting may have changed.
  const handlePageShow = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    chips?.end();
    started = start();
  };
  const start = async (tries = 3): Promise<void> => {
    const settings = await ask('ticket.start', {});
    // An update may have ended this run, and another run may have begun.
    if (stopped) return;
    // No reply means that the worker was being stopped or is busy; a refusal is `null`.
    if (settings === undefined && tries > 1) setTimeout(() => void start(tries - 1), 1000);
    else if (settings)
      chips = isolated.counterfoilChips = isolated.counterfoilView?.(settings, ask);
    else stop();
  };

  browser.runtime.onMessage.addListener(handleUpdate);
  addEventListener('pageshow', handlePageShow);
  let started = start();
});
