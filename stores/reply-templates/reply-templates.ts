import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';

import { readReplySettings, type ReplySettings } from '#core/reply-templates/index';
import { fail } from '#core/result';
import { latest } from '#stores/latest';
import { usePort } from '#stores/ports';
import { replyTemplatesPort } from '#stores/reply-templates/ports';

type Edit = (present: ReplySettings) => ReplySettings;

const applyEdits = (settings: ReplySettings, edits: readonly Edit[]): ReplySettings =>
  edits.reduce((present, edit) => edit(present), settings);

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
  /** The changes that could not be stored: the next write repeats them on what is stored by then. */
  let unstored: readonly Edit[] = [];
  /** The last write of this page; each waits for the one before, because it repeats its changes if it failed. */
  let written: Promise<unknown> = Promise.resolve();
  const reads = latest();

  async function load(): Promise<void> {
    const { isLatest } = reads.begin();
    const stored = readReplySettings(await (await store)?.read());
    if (isLatest() && pending === 0) settings.value = applyEdits(stored, unstored);
  }

  const ready = load();
  void store?.then(({ watch }) => {
    watch(() => void load());
  });

  /**
   * @param edit must be a function of its argument alone; it is called for what is shown, for what is stored, and again
   * if that could not be written
   */
  async function change(edit: Edit): Promise<void> {
    await ready;
    settings.value = edit(settings.value);
    pending += 1;
    const writing = written.then(() => write(edit));
    written = writing;
    const stored = await writing;
    pending -= 1;
    if (stored === undefined || pending > 0) return;
    // A read that was begun before the write is out of date.
    reads.begin();
    settings.value = stored;
  }

  /** Returns what is stored from now on; undefined if nothing could be. */
  async function write(edit: Edit): Promise<ReplySettings | undefined> {
    const edits = [...unstored, edit];
    const result = await store
      ?.then(({ change: changeStored }) =>
        changeStored((present) => applyEdits(readReplySettings(present), edits)),
      )
      .catch(() => fail({ kind: 'storage-full' }));
    unstored = result?.ok === false ? edits : [];
    unsaved.value = result?.ok === false ? result.fault.kind : undefined;
    return result?.ok === true ? result.value : undefined;
  }

  return { settings, unsaved, ready, change, remembers: open !== null };
});
