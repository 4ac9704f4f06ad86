import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';

import { readReplySettings, type ReplySettings } from '#core/reply-templates/template';
import { replyTemplatesPort, usePort } from '#stores/ports';

/** How the agent likes to answer. Built-in templates are the catalogue's, so that they speak the reader's language. */
export const useReplyTemplateSettings = defineStore('reply', () => {
  const keeper = usePort(replyTemplatesPort);
  /** Plain data throughout: what extension storage is given a proxy of, it does not give back. */
  const settings = shallowRef<ReplySettings>({ format: 'plain' });
  /** The last writing failed: there is no room, or the browser would not. */
  const unsaved = ref(false);

  const ready = keeper.read().then((cached) => {
    settings.value = readReplySettings(cached);
  });

  async function change(next: ReplySettings): Promise<void> {
    await ready;
    settings.value = next;
    unsaved.value = await keeper.write(next).then(
      () => false,
      () => true,
    );
  }

  return { settings, unsaved, ready, change };
});
