import { browser } from 'wxt/browser';
import { defineRecord, type Fields } from '#adapters/storage/tables';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import type { StorageArea } from '#adapters/storage/storage-area';
import { createStoredSetting, type StoredSetting } from '#adapters/storage/stored-setting';
import { type ReplySettings, replySettingsSchema } from '#core/reply-templates/index';
import { isRecord } from '#core/record';

const replyTemplatesKey = 'reply-templates';

const parse = parseWithSchema(replySettingsSchema);

export const replyTemplatesCodec = defineRecord<ReplySettings>(parse);

const defaults: ReplySettings = { format: 'plain' };

/** Returns the readable members and templates if others are unreadable. */
function salvage(value: unknown): ReplySettings {
  const { templates, ...members } = isRecord(value) ? value : {};
  const read = (some: Fields): ReplySettings => {
    const parsed = parse({ ...defaults, ...some });
    return parsed.ok ? parsed.value : defaults;
  };
  const readable = Array.isArray(templates)
    ? templates.flatMap((one: unknown) => read({ templates: [one] }).templates ?? [])
    : [];
  const found = (['language', 'frames', 'format', 'customers'] as const).filter(
    (name) => name in members,
  );
  return {
    ...found.reduce((all, name) => ({ ...all, ...read({ [name]: members[name] }) }), defaults),
    ...(readable.length > 0 && { templates: readable }),
  };
}

/** Stores the agent's reply templates in extension storage, shared by all pages. */
export function createReplyTemplateStore(area: StorageArea): StoredSetting<ReplySettings> {
  return createStoredSetting({ area, key: replyTemplatesKey, codec: replyTemplatesCodec, salvage });
}

/** Stores the agent's reply templates for a page of the extension, which is notified of writes. */
export function createPageReplyTemplates(): StoredSetting<ReplySettings> & {
  /** Calls back when this or another page wrote them. */
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
