import { defineStore } from 'pinia';
import { computed, reactive, ref } from 'vue';

import { parseCodePattern } from '#core/codes/index';
import {
  type ConnectionState,
  defaultDialect,
  type Dialect,
  parseApiKey,
} from '#core/connections/index';
import { parseBaseAddress } from '#core/address/index';
import { marketplaceIds, placeOf } from '#core/marketplaces/index';
import { type Result, omitUndefined } from '#core/result';
import type { Body, Refusal } from '#messaging/index';
import { useConnections } from '#stores/connections/connections';
import { askPort, usePort } from '#stores/ports';
import { useEditForm } from '#stores/ui/edit-form';

type ConnectionDraft = Body<'connections.save'>;
type SaveFault = Refusal<'connections.save'>;

const maxRequestsPerMinute = 6000;

interface Typed {
  /** The chosen marketplace; `own` is a server of the seller's own, with the seller API. */
  marketplace: (typeof marketplaceIds)[number] | 'own';
  store: string;
  name: string;
  baseAddress: string;
  apiKey: string;
  keyPlacement: Dialect['keyPlacement'];
  encoding: Dialect['encoding'];
  plainUserAgent: boolean;
  /** `''` if the field does not contain a number. */
  requestsPerMinute: number | '';
  codePattern: string;
}

/** A field that can prevent saving the form. */
export type ConnectionField =
  | 'store'
  | 'baseAddress'
  | 'apiKey'
  | 'requestsPerMinute'
  | 'codePattern';

type FormSubject = 'requests' | 'key';

export const useConnectionForm = defineStore('connection-form', () => {
  const ask = usePort(askPort);
  const typed = reactive<Typed>(blank());
  const form = useEditForm({
    list: useConnections(),
    typed,
    blank,
    findProblems,
    draft: readDraft,
    addressOf: ({ baseAddress }) => baseAddress,
    send: (draft: ConnectionDraft): Promise<Result<ConnectionState, SaveFault>> =>
      ask('connections.save', draft),
  });
  const { editing } = form;

  const address = computed(() => parseBaseAddress(typed.baseAddress));
  /** Whether the stored key can stay: it belongs to one address, path included. */
  const keepsKey = computed(() => editing.value?.hasKey === true && !isAddressChanged());
  const descriptor = computed(() =>
    typed.marketplace === 'own' ? undefined : placeOf(typed.marketplace),
  );
  /** Whether the marketplace answers for every store, so that the agent must choose one. */
  const needsStore = computed(() => descriptor.value?.store !== undefined);
  const key = computed(() => parseApiKey(typed.apiKey));
  const mayBeEmpty = computed(
    () =>
      keepsKey.value ||
      editing.value?.throughRelay === true ||
      // A stored key must not be kept when the address changes.
      (descriptor.value?.keyless === true && editing.value?.hasKey !== true),
  );
  const keyProblem = computed(() => {
    if (key.value.ok || (key.value.fault.kind === 'empty' && mayBeEmpty.value)) return undefined;
    return key.value.fault;
  });

  function findProblems(): ReadonlySet<ConnectionField> {
    const found = problemsIn(typed);
    if (needsStore.value && !/^[\w-]{1,64}$/u.test(typed.store.trim())) found.add('store');
    if (!address.value.ok) found.add('baseAddress');
    if (keyProblem.value !== undefined) found.add('apiKey');
    return found;
  }

  /** The name that was filled in automatically for a marketplace. */
  let filledName = '';

  /**
   * Chooses the marketplace. Fills in its address and name if those fields are empty or still contain another
   * marketplace's.
   */
  function chooseMarketplace(marketplace: Typed['marketplace']): void {
    const isOfMarketplace = marketplaceIds.some(
      (id) => placeOf(id).baseAddress === typed.baseAddress,
    );
    typed.marketplace = marketplace;
    if (typed.baseAddress.trim() === '' || isOfMarketplace)
      typed.baseAddress = descriptor.value?.baseAddress ?? '';
    if (typed.name.trim() === '' || typed.name === filledName)
      typed.name = filledName = descriptor.value?.name ?? '';
    const { keyPlacement, encoding } = defaultDialect;
    typed.keyPlacement = descriptor.value === undefined ? keyPlacement : 'Authorization';
    typed.encoding = encoding;
  }

  function isAddressChanged(): boolean {
    const before = editing.value?.baseAddress;
    if (before === undefined || !address.value.ok) return false;
    return before !== address.value.value.address;
  }

  function readDraft(): ConnectionDraft | undefined {
    const dialect = dialectOf(typed);
    if (!address.value.ok || dialect === undefined) return undefined;
    return omitUndefined({
      id: editing.value?.id,
      name: typed.name.trim() || address.value.value.host,
      baseAddress: address.value.value.address,
      ...(typed.marketplace !== 'own' && { marketplace: typed.marketplace }),
      ...(needsStore.value && { store: typed.store.trim() }),
      ...(key.value.ok && { apiKey: key.value.value }),
      dialect,
    });
  }

  /** Why the form was opened: to set how the server expects requests, or to replace a key that the seller refuses. */
  const about = ref<FormSubject>();

  function start(connection?: ConnectionState, subject?: FormSubject): void {
    about.value = subject;
    filledName = '';
    form.start(connection);
  }

  /**
   * Saves the connection and tests it, if it can be asked, while the form stays. If the seller refuses the key, the form
   * asks for another one.
   */
  const save: typeof form.save = (tryOut) =>
    form.save(async (saved, close) => {
      const isRefused = (await tryOut?.(saved, close)) === true;
      if (isRefused) about.value = 'key';
      return isRefused;
    });

  return {
    ...form,
    start,
    save,
    about,
    typed,
    descriptor,
    needsStore,
    chooseMarketplace,
    address,
    keepsKey,
    keyProblem,
  };
});

/** Returns the invalid fields of a dialect. */
function problemsIn({ requestsPerMinute: rate, codePattern }: Typed): Set<ConnectionField> {
  const found = new Set<ConnectionField>();
  if (rate === '' || !Number.isInteger(rate) || rate < 1 || rate > maxRequestsPerMinute)
    found.add('requestsPerMinute');
  const pattern = codePattern.trim();
  if (pattern !== '' && !parseCodePattern(pattern).ok) found.add('codePattern');
  return found;
}

/** Returns the typed dialect; undefined if the rate is not a number. */
function dialectOf(typed: Typed): Dialect | undefined {
  const { keyPlacement, encoding, plainUserAgent, requestsPerMinute } = typed;
  if (requestsPerMinute === '') return undefined;
  const codePattern = typed.codePattern.trim() || undefined;
  // The worker decides what stays proven.
  const proven = false;
  return omitUndefined({
    keyPlacement,
    encoding,
    proven,
    plainUserAgent,
    requestsPerMinute,
    codePattern,
  });
}

function blank(connection?: ConnectionState): Typed {
  const dialect = connection?.dialect ?? defaultDialect;
  return {
    marketplace: connection?.marketplace ?? 'own',
    store: connection?.store ?? '',
    name: connection?.name ?? '',
    baseAddress: connection?.baseAddress ?? '',
    apiKey: '',
    keyPlacement: dialect.keyPlacement,
    encoding: dialect.encoding,
    plainUserAgent: dialect.plainUserAgent,
    requestsPerMinute: dialect.requestsPerMinute,
    codePattern: dialect.codePattern ?? '',
  };
}
