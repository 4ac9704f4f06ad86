import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';

import { readReplySettings, type ReplySettings } from '#core/reply-templates/template';
import { usePort } from '#stores/ports';
import { replyTemplatesPort } from '#stores/reply-templates/ports';

/** Holds the agent's own reply templates. The built-in ones are texts of the catalogue. */
export const useReplyTemplateSettings = defineStore('reply-templates', () => {
  const store = usePort(replyTemplatesPort);
  /** A shallow ref: extension storage cannot store Vue's proxies. */
  const settings = shallowRef<ReplySettings>({ format: 'plain' });
  /** Why the last write failed. */
  const unsaved = ref<'storage-full' | 'newer-version'>();

  const ready = store.read().then((stored) => {
    settings.value = readReplySettings(stored);
  });

  async function change(next: ReplySettings): Promise<void> {
    await ready;
    settings.value = next;
    unsaved.value = await store.write(next).then(
      (written) => (written.ok ? undefined : written.fault.kind),
      () => 'storage-full' as const,
    );
  }

  return { settings, unsaved, ready, change, remembers: store.keepsNothing !== true };
});
