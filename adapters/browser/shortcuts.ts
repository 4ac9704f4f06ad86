import { browser } from 'wxt/browser';

/** The extension's keyboard shortcuts, which belong to the browser. */
export interface Shortcuts {
  /** The one that opens the popup, as the browser writes it; `undefined` where none is set. */
  current(): Promise<string | undefined>;
  /** Opens the browser's own page for changing them. */
  change(): void;
}

export function createShortcuts(): Shortcuts {
  return {
    async current() {
      const all = await browser.commands.getAll();
      const shortcut = all.find(({ name }) => name === '_execute_action')?.shortcut;
      return shortcut === '' ? undefined : shortcut;
    },
    change() {
      // Firefox alone has the call; Chromium alone lets its page be opened by address.
      const commands = browser.commands as { openShortcutSettings?: () => Promise<void> };
      if (commands.openShortcutSettings) void commands.openShortcutSettings();
      else void browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
    },
  };
}
