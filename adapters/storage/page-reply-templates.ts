import { browser } from 'wxt/browser';

import { createReplyTemplateStore, replyTemplatesKey } from '#adapters/storage/reply-templates';
import type { StoredSetting } from '#adapters/storage/stored-setting';
import type { ReplySettings } from '#core/reply-templates/template';

/** Stores the agent's reply templates as a page of the extension does, which hears of what others write. */
export function createPageReplyTemplates(): StoredSetting<ReplySettings> & {
  /** Calls back when they were written, by this page or another. */
  readonly watch: (written: () => void) => void;
} {
  const { local } = browser.storage;
  return {
    ...createReplyTemplateStore(local),
    watch: (written) => {
      local.onChanged.addListener((changes) => {
        if (replyTemplatesKey in changes) written();
      });
    },
  };
}
