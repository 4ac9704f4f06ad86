import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';

import { readReplySettings, type ReplySettings } from '#core/reply-templates/index';
import { fail } from '#core/result';
import { latest } from '#stores/latest';
import { usePort } from '#stores/ports';
import { replyTemplatesPort } from '#stores/reply-templates/ports';

/**
 * Holds the agent's own reply templates. The built-in ones are texts of the catalogue.
 *
 * Several pages may be open, and the worker writes those of a policy: a change is made to what is stored then, and what
 * is written elsewhere is shown here.
 */
export const useReplyTemplateSettings = defineStore('reply-templates', () => {
  const open = usePort(replyTemplatesPort);
  const store = open?.();
  /** A shallow ref: extension storage cannot store Vue's proxies. */
  const settings = shallowRef<ReplySettings>({ format: 'plain' });
  /** Why the last write failed: what is shown is on this page alone. */
  const unsaved = ref<'storage-full' | 'newer-version'>();
  /** Counts changes that are shown and not written yet. */
  let pending = 0;
  const reads = latest();

  async function load(): Promise<void> {
    const { isLatest } = reads.begin();
    const stored = readReplySettings(await (await store)?.read());
    if (isLatest() && pending === 0 && unsaved.value === undefined) settings.value = stored;
  }

  const ready = load();
  void store?.then(({ watch }) => {
    watch(() => void load());
  });

  /** @param edit must be a function of its argument alone; it is called for what is shown and for what is stored */
  async function change(edit: (present: ReplySettings) => ReplySettings): Promise<void> {
    await ready;
    settings.value = edit(settings.value);
    pending += 1;
    const written = await write(edit).catch(() => fail({ kind: 'storage-full' }));
    pending -= 1;
    unsaved.value = written?.ok === false ? written.fault.kind : undefined;
    if (written?.ok !== true || pending > 0) return;
    // A read that was begun before the write is out of date.
    reads.begin();
    settings.value = written.value;
  }

  const write = async (edit: (present: ReplySettings) => ReplySettings) =>
    (await store)?.change((present) =>
      // The shown settings include changes that could not be stored before.
      unsaved.value === undefined ? edit(readReplySettings(present)) : settings.value,
    );

  return { settings, unsaved, ready, change, remembers: open !== null };
});
