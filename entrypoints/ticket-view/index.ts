import { browser } from 'wxt/browser';
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import { showChips } from '#entrypoints/ticket-view/show';
import type { TicketWorld } from '#entrypoints/ticket-view/world';
import type { Answer, Question } from '#messaging/envelope';
import type { TopicName } from '#messaging/protocol';

/** The second stage of the ticket script: finds codes and shows what the worker says of them. */
export default defineUnlistedScript(() => {
  const world = globalThis as TicketWorld & typeof globalThis;
  world.counterfoilView = (orders) => {
    // Sent in the click's own task, or the browser would not open the panel for it.
    const ask = <T extends TopicName>(topic: T, code: string): Promise<Answer<T> | undefined> => {
      const question: Question = { topic, nonce: crypto.randomUUID(), body: { code } };
      try {
        return browser.runtime.sendMessage(question).catch(() => undefined) as Promise<
          Answer<T> | undefined
        >;
      } catch {
        // The extension was updated or switched off: nobody is there any more.
        end();
        return Promise.resolve(undefined);
      }
    };
    const chips = showChips(orders, {
      open: (code) => {
        void ask('ticket.open', code);
      },
      check: async (code) => {
        const answer = await ask('ticket.check', code);
        return answer?.answered === true ? (answer.reply ?? undefined) : undefined;
      },
    });
    const end = (): void => {
      chips.end();
      world.counterfoilChecked = undefined;
    };
    world.counterfoilChecked = chips.checked;
    return end;
  };
});
