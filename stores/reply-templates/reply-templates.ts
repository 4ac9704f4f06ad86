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
 * The agent's own reply templates. The built-in ones are texts of the catalogue.
 *
 * Several pages may be open, and the worker writes those of a policy. So each change is applied to what is stored at
 * that moment, and writes from elsewhere are shown here.
 */
export const useReplyTemplateSettings = defineStore('reply-templates', () => {
  const open = usePort(replyTemplatesPort);
  const store = open?.();
  /** A shallow ref: extension storage cannot store Vue's proxies. */
  const settings = shallowRef<ReplySettings>({ format: 'plain' });
  /** Why the last write failed; then the shown settings exist only on this page. */
  const unsaved = ref<'storage-full' | 'newer-version'>();
  /** The number of shown changes that are not written yet. */
  let pending = 0;
  /** The changes that could not be stored. The next write applies them again to what is stored by then. */
  let unstored: readonly Edit[] = [];
  /** The last write of this page. Each waits for the one before, because it repeats that one's changes if it failed. */
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
   * @param edit must be a pure function; it is applied to the shown settings, to the stored ones, and again if those
   * could not be written
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
    // A read that began before the write is outdated.
    reads.begin();
    settings.value = stored;
  }

  /** Returns the newly stored settings; undefined if they could not be stored. */
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
