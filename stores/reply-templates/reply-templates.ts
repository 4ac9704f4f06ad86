import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';

import { readReplySettings, type ReplySettings } from '#core/reply-templates/template';
import { usePort } from '#stores/ports';
import { replyTemplatesPort } from '#stores/reply-templates/ports';

/**
 * Holds the agent's own reply templates. The built-in ones are texts of the catalogue.
 *
 * Several pages may be open, and the worker writes those of a policy: a change is made to what is stored then, and what is
 * written elsewhere is shown here.
 */
export const useReplyTemplateSettings = defineStore('reply-templates', () => {
  const open = usePort(replyTemplatesPort);
  const store = open?.();
  /** A shallow ref: extension storage cannot store Vue's proxies. */
  const settings = shallowRef<ReplySettings>({ format: 'plain' });
  /** Why the last write failed: what is shown is on this page alone. */
  const unsaved = ref<'storage-full' | 'newer-version'>();
  /** Changes that are shown and not written yet. */
  let pending = 0;
  let last: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<ReplySettings> => readReplySettings(await (await store)?.read());

  /** Runs tasks one after the other, so that each reads what the one before it has written. */
  function inTurn(task: () => Promise<void>): Promise<void> {
    const run = last.then(task);
    last = run.catch(() => undefined);
    return run;
  }

  const load = (): Promise<void> =>
    inTurn(async () => {
      const stored = await read();
      if (pending === 0 && unsaved.value === undefined) settings.value = stored;
    });

  const ready = load();
  void store?.then(({ watch }) => {
    watch(() => void load());
  });

  /** @param edit must be a function of its argument alone */
  async function change(edit: (present: ReplySettings) => ReplySettings): Promise<void> {
    await ready;
    settings.value = edit(settings.value);
    pending += 1;
    await inTurn(async () => {
      // What could not be stored before is part of what is shown.
      let next = settings.value;
      const write = async () => {
        if (unsaved.value === undefined) next = edit(await read());
        return (await store)?.write(next);
      };
      unsaved.value = await write().then(
        (written) => (written?.ok === false ? written.fault.kind : undefined),
        () => 'storage-full' as const,
      );
      if (pending === 1) settings.value = next;
    }).finally(() => (pending -= 1));
  }

  return { settings, unsaved, ready, change, remembers: open !== null };
});
