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
  /** Ids of the pinned keys that are tied to this authority. */
  keys: string[];
}

/** A field that can keep the form from being saved. */
export type AuthorityField = 'name' | 'address';

type SaveFault = AuthoritySaveFault | { readonly kind: 'keys-not-stored' };

/** Adds or edits one authority. The keys tied to it lie in the key ring, which pages change themselves. */
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
    prepareFinish: () => tieKeysTo(new Set(typed.keys), keys.value),
  });
  const { editing } = form;

  /** The pinned keys to choose from, without the revoked ones. */
  const keys = ref<PinnedKey[]>([]);
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
    // Keys of an earlier opening must not be untied by a save that is quicker than the key ring.
    keys.value = [];
    const { isLatest } = keyReads.begin();
    const pinned = (await ring.read()).filter(({ revoked }) => !revoked);
    if (!isLatest()) return;
    keys.value = pinned;
    if (authority === undefined) return;
    const origin = authorityOriginOf(authority.address);
    typed.keys = pinned.filter((key) => key.authority === origin).map(({ id }) => id);
  }

  /**
   * Ties keys to the saved authority. A key of another authority stays there unless it was chosen here.
   * @param chosen ids of the keys to tie
   * @param offered the keys that could be chosen
   */
  function tieKeysTo(chosen: ReadonlySet<string>, offered: readonly PinnedKey[]) {
    return async (
      saved: AuthorityState,
      before: AuthorityState | undefined,
    ): Promise<SaveFault | undefined> => {
      const origin = authorityOriginOf(saved.address);
      const origins = [origin, before && authorityOriginOf(before.address)];
      const isChanged = ({ id, authority }: PinnedKey): boolean =>
        chosen.has(id)
          ? authority !== origin
          : authority !== undefined && origins.includes(authority);
      if (!offered.some(isChanged)) return undefined;
      const changed = await ring.change((present) =>
        present.map(({ authority, ...untied }) => {
          const key = authority === undefined ? untied : { ...untied, authority };
          if (!isChanged(key)) return key;
          return chosen.has(key.id) ? { ...untied, authority: origin } : untied;
        }),
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
