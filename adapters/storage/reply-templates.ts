import { browser } from 'wxt/browser';

const item = 'reply-templates';

/** The agent's reply templates, in extension storage: shared by all pages, and not believed when read. */
export function createReplyTemplateStore(): {
  read: () => Promise<unknown>;
  write: (settings: object) => Promise<void>;
} {
  return {
    read: async () => (await browser.storage.local.get(item))[item],
    write: async (settings) => {
      await browser.storage.local.set({ [item]: settings });
    },
  };
}
