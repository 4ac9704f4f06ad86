import { browser } from 'wxt/browser';

/** Reads the extension's keyboard shortcuts, which the browser manages. */
export interface Shortcuts {
  /** Returns the shortcut that opens the popup, as the browser writes it; undefined where none is set. */
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
      // Only Firefox has this call; only Chromium opens its page by address.
      const commands = browser.commands as { openShortcutSettings?: () => Promise<void> };
      if (commands.openShortcutSettings) void commands.openShortcutSettings();
      else void browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
    },
  };
}
