import { defineStore } from 'pinia';
import { onScopeDispose, ref, shallowRef } from 'vue';

import {
  type ChangedFields,
  changeKey,
  exportRing,
  type KeyFile,
  keyName,
  type UnusedKeys,
} from '#core/key-ring/index';
import type { PinnedKey } from '#core/keys/index';
import { undoMs } from '#core/storage/index';
import { latest } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';
import { useUndoOffer } from '#stores/ui/undo-offer';
import { createKeyDrafts, type KeyFault, type RingChange } from '#stores/verifier/key-drafts';
import { keyRingPort } from '#stores/verifier/ports';

/** The key ring for its view. Proposed keys are drafts until the agent has confirmed their fingerprints. */
export const useVerifierKeys = defineStore('verifier-keys', () => {
  const ring = usePort(keyRingPort);
  const now = usePort(clockPort);
  const undo = useUndoOffer();

  // A shallow ref, because storage accepts only plain records.
  /** Undefined until it has been read once. */
  const list = shallowRef<PinnedKey[]>();
  const unused = shallowRef<UnusedKeys>();
  const fault = ref<KeyFault>();
  const reads = latest();

  const { drafts, draft, refused, propose, confirm, discard } = createKeyDrafts({
    list,
    fault,
    apply,
  });

  const unwatch = ring.watch(() => void load());
  onScopeDispose(unwatch);

  async function load(): Promise<void> {
    const { isLatest } = reads.begin();
    const read = await ring.read();
    if (isLatest()) list.value = read;
    const left = await ring.unused();
    if (isLatest()) unused.value = left;
  }

  async function removeUnreadable(): Promise<void> {
    await ring.removeUnreadable();
    await load();
  }

  const change = (id: string, changes: ChangedFields): Promise<boolean> =>
    apply((keys) => changeKey(keys, id, changes));

  async function revoke(id: string): Promise<void> {
    const before = list.value?.find((key) => key.id === id);
    if (before !== undefined && (await change(id, { revoked: true })))
      offerUndo('revoked-keys', before, (keys) => changeKey(keys, id, { revoked: false }));
  }

  async function remove(id: string): Promise<void> {
    const before = list.value?.find((key) => key.id === id);
    if (before === undefined) return;
    if (await apply((keys) => keys.filter((key) => key.id !== id)))
      offerUndo('keys', before, (keys) =>
        keys.some(({ raw }) => raw === before.raw) ? keys : [...keys, before],
      );
  }

  /** @param restore undoes the change in the ring as it is at that time */
  function offerUndo(list: 'keys' | 'revoked-keys', before: PinnedKey, restore: RingChange): void {
    const { id } = before;
    const undoIt = (): ReturnType<typeof ring.change> => store(restore);
    const offer = { list, id, elementId: `keys-${id}`, name: keyName(before), undo: undoIt };
    undo.show(offer, now() + undoMs);
  }

  function exported(): KeyFile {
    return exportRing(list.value ?? []);
  }

  async function apply(act: RingChange): Promise<boolean> {
    return (await store(act)).ok;
  }

  async function store(act: RingChange): ReturnType<typeof ring.change> {
    const result = await ring.change(act);
    if (result.ok) {
      fault.value = undefined;
      reads.cancel();
      list.value = result.value;
    } else fault.value = result.fault;
    return result;
  }

  return {
    list,
    unused,
    draft,
    drafts,
    fault,
    refused,
    load,
    propose,
    confirm,
    discard,
    change,
    revoke,
    remove,
    removeUnreadable,
    exported,
  };
});
