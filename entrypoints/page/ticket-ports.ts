import type { App } from 'vue';
import { browser } from 'wxt/browser';

import { openHandoffs, openTicketMemory } from '#adapters/storage/index';
import { createBrowserMessages } from '#adapters/browser/browser-messages';
import { createTabPage } from '#adapters/browser/tab-page';
import { createChipWords } from '#core/chips/index';
import { ticketAddressOf } from '#core/ticket/index';
import { createOpenVerifier } from '#entrypoints/page/open-verifier';
import type { TicketUpdate } from '#messaging/index';
import { recentChecksPort } from '#stores/check/index';
import {
  type ChipsPort,
  chipsPort,
  pendingTextPort,
  inspectPort,
  replyFieldPort,
  shortcutPort,
  tabPagePort,
  ticketCardsPort,
  waitingTextPort,
} from '#stores/ticket/ports';
import { useTicket } from '#stores/ticket/ticket';

/** Returns what binds the ports of the views beside a ticket, for `mountPage`. */
export function ticketPorts(): (app: App) => void {
  const { session } = browser.storage;
  const { texts } = openHandoffs(session);
  const { cards, recentChecks, waitingText } = openTicketMemory(session);
  return (app) => {
    const ticket = (): ReturnType<typeof useTicket> => app.runWithContext(() => useTicket());
    app
      .provide(replyFieldPort, {
        isOffered: () => ticket().current !== undefined,
        insert: (text) => ticket().insertReply(text),
      })
      .provide(tabPagePort, createTabPage())
      .provide(chipsPort, createChips())
      .provide(ticketCardsPort, cards)
      .provide(waitingTextPort, {
        put: (text) => waitingText.put(text, Date.now()),
        take: () => waitingText.take(Date.now()),
      })
      .provide(shortcutPort, { current: currentShortcut, change: changeShortcut })
      .provide(recentChecksPort, recentChecks)
      .provide(pendingTextPort, {
        async take() {
          for (const target of await targetsHere()) {
            const received = await texts.take(target, Date.now());
            if (received !== undefined) return received;
          }
          return undefined;
        },
        watch: (left) => {
          texts.watch(left);
        },
      })
      .provide(inspectPort, createOpenVerifier());
  };
}

/** Speaks with the ticket script in the top document of a tab, unless the tab shows another ticket by now. */
function createChips(): ChipsPort {
  const { verdictOn } = createChipWords(createBrowserMessages());
  return {
    show({ tabId, address }, code, reports, expected) {
      const chip = verdictOn(reports, expected, Date.now());
      const update: TicketUpdate = { ticket: 'checked', code, chip };
      browser.tabs
        .get(tabId)
        .then(({ url = '' }) =>
          ticketAddressOf(url) === address
            ? browser.tabs.sendMessage(tabId, update, { frameId: 0 })
            : undefined,
        )
        // Its script may not run yet, or no longer.
        .catch(() => undefined);
    },
  };
}

/** Returns where a pending text for this page may lie: its own tab, and its window while the page is visible. */
async function targetsHere() {
  const [tab, { id: windowId }] = await Promise.all([
    browser.tabs.getCurrent(),
    browser.windows.getCurrent(),
  ]);
  const here = windowId === undefined ? [] : [{ windowId }];
  if (tab?.id === undefined) return here;
  return [{ tabId: tab.id }, ...(document.visibilityState === 'visible' ? here : [])];
}

/** Returns the shortcut that opens the popup, as the browser writes it; undefined where none is set. */
async function currentShortcut(): Promise<string | undefined> {
  const all = await browser.commands.getAll();
  const shortcut = all.find(({ name }) => name === '_execute_action')?.shortcut;
  return shortcut === '' ? undefined : shortcut;
}

/**
 * Opens the browser's own page for changing shortcuts: only Firefox has this call; only Chromium opens its page by
 * address.
 */
function changeShortcut(): void {
  const commands = browser.commands as { openShortcutSettings?: () => Promise<void> };
  if (commands.openShortcutSettings) void commands.openShortcutSettings();
  else void browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
}
