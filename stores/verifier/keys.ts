import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowRef } from 'vue';

import {
  exportRing,
  type KeyFile,
  readKeyFile,
  keyName,
  type ChangedFields,
  changeKey,
  putKey,
  type UnusedKeys,
} from '#core/key-ring/ring';
import type { PinnedKey, PublicKey, PublicKeyFault } from '#core/keys/index';
import { parseJson } from '#core/text/json';
import { keyRingPort, verifyPort } from '#stores/verifier/ports';
import { latest } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';
import { useUndoOffer } from '#stores/ui/undo-offer';
import { undoMs } from '#core/soft-deletion';

/** Holds a valid key that waits for the agent to compare its fingerprint. */
export interface KeyDraft {
  readonly key: PinnedKey;
  /** Whether the key is in the ring already: confirming changes that entry. */
  readonly known: boolean;
}

type RingChange = (keys: readonly PinnedKey[]) => readonly PinnedKey[];

export type KeyFault =
  | PublicKeyFault
  | { readonly kind: 'not-stored' }
  | { readonly kind: 'verifier-lost' };

/** Holds the key ring for its view: proposed keys are drafts until the agent has confirmed their fingerprints. */
export const useVerifierKeys = defineStore('verifier-keys', () => {
  const ring = usePort(keyRingPort);
  const verify = usePort(verifyPort);
  const now = usePort(clockPort);
  const undo = useUndoOffer();

  // Shallow: what goes into storage must be plain records.
  /** Undefined until it has been read once. */
  const list = shallowRef<PinnedKey[]>();
  /** Keys to be confirmed, one after the other. */
  const drafts = shallowRef<KeyDraft[]>([]);
  const unused = shallowRef<UnusedKeys>();
  const fault = ref<KeyFault>();
  /** How many keys of a file were not valid. */
  const refused = ref(0);
  const draft = computed(() => drafts.value[0]);
  const reads = latest();
  const proposals = latest();

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

  /** Reads a key or a file of keys for confirmation. Returns whether there is a key to confirm. */
  async function propose(source: string | Uint8Array): Promise<boolean> {
    const { isLatest } = proposals.begin();
    fault.value = undefined;
    refused.value = 0;
    const file = readKeyFile(
      parseJson(typeof source === 'string' ? source : new TextDecoder().decode(source)),
    );
    const wanted = file === undefined ? [{ source, from: undefined }] : file.map(asSource);
    const fresh: KeyDraft[] = [];
    for (const { source: spelling, from } of wanted) {
      const answer = await read(spelling);
      if (!isLatest()) return false;
      if (answer.ok) fresh.push(draftOf(answer.value, from));
      else if (file === undefined) fault.value = answer.fault;
      else refused.value += 1;
    }
    if (fresh.length > 0) drafts.value = fresh;
    else if (file !== undefined && refused.value > 0) fault.value = { kind: 'unreadable' };
    return fresh.length > 0;
  }

  async function read(
    source: string | Uint8Array,
  ): Promise<{ ok: true; value: PublicKey } | { ok: false; fault: KeyFault }> {
    try {
      return await verify.ask({ ask: 'read-key', source });
    } catch {
      return { ok: false, fault: { kind: 'verifier-lost' } };
    }
  }

  function draftOf(read: PublicKey, from: PinnedKey | undefined): KeyDraft {
    const { raw, fingerprint, keyId, comment } = read;
    const present = list.value?.find((key) => key.raw === raw);
    const base = from ?? present;
    return {
      known: present !== undefined,
      key: {
        ...base,
        id: fingerprint,
        label: base?.label ?? comment ?? '',
        raw,
        fingerprint,
        revoked: base?.revoked ?? false,
        kind: base?.kind ?? 'unstated',
        ...(keyId !== undefined && { keyId }),
      },
    };
  }

  /** Pins the first draft, whose fingerprint the agent has compared. */
  async function confirm(changes: ChangedFields): Promise<boolean> {
    const confirmed = drafts.value[0];
    if (confirmed === undefined) return false;
    const stored = await apply((keys) => {
      const put = putKey(keys, confirmed.key);
      const { id } = put.find(({ raw }) => raw === confirmed.key.raw) ?? confirmed.key;
      return changeKey(put, id, changes);
    });
    if (stored) drafts.value = drafts.value.slice(1);
    return stored;
  }

  function discard(): void {
    drafts.value = drafts.value.slice(1);
    fault.value = undefined;
  }

  const change = (id: string, changes: ChangedFields): Promise<boolean> =>
    apply((keys) => changeKey(keys, id, changes));

  async function revoke(id: string): Promise<void> {
    const before = list.value?.find((key) => key.id === id);
    if (before !== undefined && (await change(id, { revoked: true })))
      offerUndo('revoked-keys', before);
  }

  async function remove(id: string): Promise<void> {
    const before = list.value?.find((key) => key.id === id);
    if (before === undefined) return;
    if (await apply((keys) => keys.filter((key) => key.id !== id))) offerUndo('keys', before);
  }

  function offerUndo(list: 'keys' | 'revoked-keys', before: PinnedKey): void {
    const restore = (): ReturnType<typeof ring.change> =>
      store((keys) => {
        const at = keys.findIndex(({ raw }) => raw === before.raw);
        return at < 0 ? [...keys, before] : keys.with(at, before);
      });
    const { id } = before;
    const offer = { list, id, elementId: `keys-${id}`, name: keyName(before), undo: restore };
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

function asSource(key: PinnedKey): { source: string; from: PinnedKey } {
  return { source: key.raw, from: key };
}
