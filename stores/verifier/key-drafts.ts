import { computed, type ComputedRef, type Ref, ref, type ShallowRef, shallowRef } from 'vue';

import { type ChangedFields, changeKey, putKey, readKeyFile } from '#core/key-ring/index';
import type { PinnedKey, PublicKey, PublicKeyFault } from '#core/keys/index';
import { parseJson } from '#core/encoding/index';
import { latest } from '#stores/latest';
import { usePort } from '#stores/ports';
import { verifyPort } from '#stores/verifier/ports';

/** A valid key whose fingerprint the agent still has to compare. */
export interface KeyDraft {
  readonly key: PinnedKey;
  /** Whether the key is already in the ring, so that confirming changes that entry. */
  readonly known: boolean;
}

export type KeyFault =
  | PublicKeyFault
  | { readonly kind: 'not-stored' }
  | { readonly kind: 'verifier-lost' };

export type RingChange = (keys: readonly PinnedKey[]) => readonly PinnedKey[];

interface DraftNeeds {
  readonly list: ShallowRef<readonly PinnedKey[] | undefined>;
  readonly fault: Ref<KeyFault | undefined>;
  /** Changes the ring; false if it could not be stored. */
  readonly apply: (change: RingChange) => Promise<boolean>;
}

/** The keys that wait for the agent's confirmation, in order. */
export interface KeyDrafts {
  readonly drafts: ShallowRef<KeyDraft[]>;
  /** The first of the drafts. */
  readonly draft: ComputedRef<KeyDraft | undefined>;
  /** How many keys of a file were not valid. */
  readonly refused: Ref<number>;
  /** Reads a key or a file of keys for confirmation. Returns whether there is a key to confirm. */
  readonly propose: (source: string | Uint8Array) => Promise<boolean>;
  /** Pins the first draft, whose fingerprint the agent has compared. */
  readonly confirm: (changes: ChangedFields) => Promise<boolean>;
  readonly discard: () => void;
}

/** Creates the drafts, none at first. Call it in a store's setup. */
export function createKeyDrafts({ list, fault, apply }: DraftNeeds): KeyDrafts {
  const verify = usePort(verifyPort);
  const drafts = shallowRef<KeyDraft[]>([]);
  const refused = ref(0);
  const draft = computed(() => drafts.value[0]);
  const proposals = latest();

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

  return { drafts, draft, refused, propose, confirm, discard };
}

function asSource(key: PinnedKey): { source: string; from: PinnedKey } {
  return { source: key.raw, from: key };
}
