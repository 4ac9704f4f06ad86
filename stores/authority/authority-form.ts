import { defineStore } from 'pinia';
import { computed, reactive, ref } from 'vue';

import {
  authorityOriginOf,
  type AuthorityState,
  parseAuthorityAddress,
} from '#core/authority/index';
import type { PinnedKey } from '#core/keys/index';
import { type Result, omitUndefined } from '#core/result';
import type { Body, Refusal } from '#messaging/index';
import { useAuthorities } from '#stores/authority/authorities';
import { latest } from '#stores/latest';
import { askPort, usePort } from '#stores/ports';
import { useEditForm } from '#stores/ui/edit-form';
import { verifierPorts } from '#stores/verifier/index';

type AuthorityDraft = Body<'authorities.save'>;
type AuthoritySaveFault = Refusal<'authorities.save'>;

interface Typed {
  name: string;
  address: string;
  kind: 'live' | 'test';
  /** Separated by commas or spaces. */
  products: string;
  /** Ids of the pinned keys that are limited to this authority. */
  keys: string[];
}

/** A field that can prevent saving the form. */
export type AuthorityField = 'name' | 'address';

type SaveFault = AuthoritySaveFault | { readonly kind: 'keys-not-stored' };

/** The state of the keys when the form was opened. */
interface OpenedKeys {
  /** The origin of the authority; undefined for a new one. */
  readonly origin: string | undefined;
  /** The ids of the keys that were limited to it, and therefore ticked. */
  readonly tied: ReadonlySet<string>;
}

const noKeys: OpenedKeys = { origin: undefined, tied: new Set() };

/** Adds or edits one authority. Its keys are in the key ring, which pages change directly. */
export const useAuthorityForm = defineStore('authority-form', () => {
  const ask = usePort(askPort);
  const ring = usePort(verifierPorts.keyRing);
  const typed = reactive<Typed>(blank());
  const form = useEditForm({
    list: useAuthorities(),
    typed,
    blank,
    findProblems,
    draft: readDraft,
    addressOf: ({ address }) => address,
    send: (draft: AuthorityDraft): Promise<Result<AuthorityState, SaveFault>> =>
      ask('authorities.save', draft),
    prepareFinish: () => tieKeys(new Set(typed.keys), opened),
  });
  const { editing } = form;

  /** The pinned keys to choose from, without the revoked ones. */
  const keys = ref<PinnedKey[]>([]);
  let opened: OpenedKeys = noKeys;
  const keyReads = latest();
  const address = computed(() => parseAuthorityAddress(typed.address));

  function findProblems(): ReadonlySet<AuthorityField> {
    const found = new Set<AuthorityField>();
    if (typed.name.trim() === '') found.add('name');
    if (!address.value.ok) found.add('address');
    return found;
  }

  async function start(authority?: AuthorityState): Promise<void> {
    form.start(authority);
    const origin = authority && authorityOriginOf(authority.address);
    // If a save is faster than reading the key ring, it must not untie keys from an earlier opening of the form.
    keys.value = [];
    opened = { ...noKeys, origin };
    const { isLatest } = keyReads.begin();
    const pinned = (await ring.read()).filter(({ revoked }) => !revoked);
    if (!isLatest()) return;
    keys.value = pinned;
    if (origin === undefined) return;
    typed.keys = pinned.filter((key) => key.authority === origin).map(({ id }) => id);
    opened = { origin, tied: new Set(typed.keys) };
  }

  /** Limits keys to the saved authority as the agent has chosen: `chosen` are the ids of the ticked ones. */
  function tieKeys(chosen: ReadonlySet<string>, { origin: before, tied }: OpenedKeys) {
    return async ({ address: saved }: AuthorityState): Promise<SaveFault | undefined> => {
      const origin = authorityOriginOf(saved);
      // Only keys that were ticked or unticked here change, since another window may have changed others in the
      // meantime.
      const authorityOf = ({ id, authority, byPolicy }: PinnedKey): string | undefined => {
        if (byPolicy === true) return authority;
        if (chosen.has(id) && !tied.has(id)) return origin;
        if (authority === undefined || authority !== before) return authority;
        return tied.has(id) && !chosen.has(id) ? undefined : origin;
      };
      const isChanged = (key: PinnedKey): boolean => authorityOf(key) !== key.authority;
      if (!(await ring.read()).some(isChanged)) return undefined;
      const changed = await ring.change((present) =>
        present.map((key) => omitUndefined({ ...key, authority: authorityOf(key) })),
      );
      return changed.ok ? undefined : { kind: 'keys-not-stored' };
    };
  }

  function readDraft(): AuthorityDraft | undefined {
    if (!address.value.ok) return undefined;
    return omitUndefined({
      id: editing.value?.id,
      name: typed.name.trim(),
      address: address.value.value.address,
      kind: typed.kind,
      products: [...new Set(typed.products.split(/[\s,;]+/u).filter((slug) => slug !== ''))],
    });
  }

  return { ...form, typed, keys, address, start };
});

function blank(authority?: AuthorityState): Typed {
  return {
    name: authority?.name ?? '',
    address: authority?.address ?? '',
    kind: authority?.kind ?? 'live',
    products: authority?.products.join(', ') ?? '',
    keys: [],
  };
}
