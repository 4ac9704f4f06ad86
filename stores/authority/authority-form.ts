import { defineStore } from 'pinia';
import { computed, reactive, ref } from 'vue';

import { parseAuthorityAddress } from '#core/authority/address';
import { authorityOriginOf } from '#core/authority/authority-match';
import type { PinnedKey } from '#core/license/keys/pinned-key';
import type {
  AuthorityDraft,
  AuthoritySaveFault,
  AuthorityState,
} from '#messaging/authority/protocol';
import { useAuthorities } from '#stores/authority/authorities';
import { accessPort, askPort, usePort } from '#stores/ports';
import { keyRingPort } from '#stores/verifier/ports';

interface Typed {
  name: string;
  address: string;
  kind: 'live' | 'test';
  /** Separated by commas or spaces. */
  products: string;
  controlToken: string;
  /** Ids of the pinned keys that speak for this authority and no other. */
  keys: string[];
}

/** What keeps the form from being saved, by field. */
export type AuthorityProblem = 'name' | 'address';

/** Adding or changing one authority. The keys tied to it stay in the key ring, which this page reads and changes itself. */
export const useAuthorityForm = defineStore('authority-form', () => {
  const ask = usePort(askPort);
  const requestAccess = usePort(accessPort);
  const ring = usePort(keyRingPort);
  const authorities = useAuthorities();

  /** Undefined: closed. */
  const open = ref<'new' | { readonly id: string }>();
  const typed = reactive<Typed>(blank());
  const saving = ref(false);
  const tried = ref(false);
  const fault = ref<AuthoritySaveFault | { readonly kind: 'keys-not-stored' }>();
  /** The pinned keys to choose from, revoked ones left out. */
  const keys = ref<PinnedKey[]>([]);

  const editing = computed(() =>
    typeof open.value === 'object' ? authorities.find(open.value.id) : undefined,
  );
  const address = computed(() => parseAuthorityAddress(typed.address));
  const problems = computed(() => {
    const found = new Set<AuthorityProblem>();
    if (typed.name.trim() === '') found.add('name');
    if (!address.value.ok) found.add('address');
    return found;
  });

  async function start(authority?: AuthorityState): Promise<void> {
    Object.assign(typed, blank(authority));
    open.value = authority === undefined ? 'new' : { id: authority.id };
    tried.value = false;
    fault.value = undefined;
    keys.value = (await ring.read()).filter(({ revoked }) => !revoked);
    if (authority !== undefined) {
      const origin = authorityOriginOf(authority.address);
      typed.keys = keys.value.filter((key) => key.authority === origin).map(({ id }) => id);
    }
  }

  function close(): void {
    open.value = undefined;
    typed.controlToken = '';
  }

  /**
   * Must be called in the task of a click: the intent is on its way to the worker before the browser's prompt, which may
   * close this page.
   * @returns whether it was saved
   */
  async function save(): Promise<boolean> {
    tried.value = true;
    fault.value = undefined;
    const draft = draftOf();
    if (draft === undefined || saving.value) return false;
    saving.value = true;
    const saved = ask('authorities.save', draft);
    const granted = requestAccess(draft.address);
    const before = editing.value?.address;
    const result = await saved.finally(() => {
      saving.value = false;
    });
    if (!result.ok) {
      fault.value = result.fault;
      return false;
    }
    authorities.put(result.value);
    const tied = await tieKeys(
      authorityOriginOf(draft.address),
      before && authorityOriginOf(before),
    );
    if (!tied) {
      open.value = { id: result.value.id };
      fault.value = { kind: 'keys-not-stored' };
      return false;
    }
    close();
    await granted;
    await authorities.load();
    return true;
  }

  /** A key tied to another authority stays so unless it was chosen here. */
  async function tieKeys(origin: string, before: string | undefined): Promise<boolean> {
    const chosen = new Set(typed.keys);
    const isChanged = ({ id, authority }: PinnedKey): boolean =>
      chosen.has(id)
        ? authority !== origin
        : authority !== undefined && [origin, before].includes(authority);
    if (!keys.value.some(isChanged)) return true;
    const changed = await ring.change((present) =>
      present.map(({ authority, ...key }) => {
        if (chosen.has(key.id)) return { ...key, authority: origin };
        const letGo = isChanged({ ...key, ...(authority !== undefined && { authority }) });
        return letGo || authority === undefined ? key : { ...key, authority };
      }),
    );
    return changed.ok;
  }

  function draftOf(): AuthorityDraft | undefined {
    if (problems.value.size > 0 || !address.value.ok) return undefined;
    const controlToken = typed.controlToken.trim();
    return {
      ...(editing.value === undefined ? {} : { id: editing.value.id }),
      name: typed.name.trim(),
      address: address.value.value.address,
      kind: typed.kind,
      products: [...new Set(typed.products.split(/[\s,;]+/u).filter((slug) => slug !== ''))],
      ...(controlToken === '' || typed.kind === 'live' ? {} : { controlToken }),
    };
  }

  return {
    open,
    typed,
    saving,
    tried,
    fault,
    keys,
    editing,
    address,
    problems,
    start,
    close,
    save,
  };
});

function blank(authority?: AuthorityState): Typed {
  return {
    name: authority?.name ?? '',
    address: authority?.address ?? '',
    kind: authority?.kind ?? 'live',
    products: authority?.products.join(', ') ?? '',
    controlToken: '',
    keys: [],
  };
}
