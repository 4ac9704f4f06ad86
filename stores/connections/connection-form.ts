import { defineStore } from 'pinia';
import { computed, reactive, ref } from 'vue';

import { parseCodePattern } from '#core/check/code-shape';
import { parseApiKey } from '#core/connections/api-key';
import { parseBaseAddress } from '#core/connections/base-address';
import { defaultDialect, type Dialect } from '#core/connections/connection';
import type { Result } from '#core/result';
import type { ConnectionDraft, ConnectionState, SaveFault } from '#messaging/topics/connections';
import { useConnections } from '#stores/connections/connections';
import { askPort, usePort } from '#stores/ports';
import { useEditForm } from '#stores/ui/edit-form';

const maxRequestsPerMinute = 6000;

/** The form's fields. */
interface Typed {
  name: string;
  baseAddress: string;
  apiKey: string;
  keyPlacement: Dialect['keyPlacement'];
  encoding: Dialect['encoding'];
  plainUserAgent: boolean;
  /** `''` while the field holds no number. */
  requestsPerMinute: number | '';
  codePattern: string;
}

/** Names a field that can keep the form from being saved. */
export type ConnectionField = 'baseAddress' | 'apiKey' | 'requestsPerMinute' | 'codePattern';

/** Adds or edits one connection. */
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
  const key = computed(() => parseApiKey(typed.apiKey));
  const keyProblem = computed(() => {
    if (key.value.ok || (key.value.fault.kind === 'empty' && keepsKey.value)) return undefined;
    return key.value.fault;
  });

  function findProblems(): ReadonlySet<ConnectionField> {
    const found = new Set<ConnectionField>();
    if (!address.value.ok) found.add('baseAddress');
    if (keyProblem.value !== undefined) found.add('apiKey');
    const rate = typed.requestsPerMinute;
    if (rate === '' || !Number.isInteger(rate) || rate < 1 || rate > maxRequestsPerMinute)
      found.add('requestsPerMinute');
    const pattern = typed.codePattern.trim();
    if (pattern !== '' && !parseCodePattern(pattern).ok) found.add('codePattern');
    return found;
  }

  function isAddressChanged(): boolean {
    const before = editing.value?.baseAddress;
    if (before === undefined || !address.value.ok) return false;
    return before !== address.value.value.address;
  }

  function readDraft(): ConnectionDraft | undefined {
    if (!address.value.ok || typed.requestsPerMinute === '') return undefined;
    const { keyPlacement, encoding, plainUserAgent, requestsPerMinute } = typed;
    const codePattern = typed.codePattern.trim();
    const before = editing.value?.dialect;
    return {
      ...(editing.value === undefined ? {} : { id: editing.value.id }),
      name: typed.name.trim() || address.value.value.host,
      baseAddress: address.value.value.address,
      ...(key.value.ok ? { apiKey: key.value.value } : {}),
      dialect: {
        keyPlacement,
        encoding,
        // A proof holds for one placement and one encoding at one address.
        proven:
          before?.proven === true &&
          before.keyPlacement === keyPlacement &&
          before.encoding === encoding &&
          !isAddressChanged(),
        plainUserAgent,
        requestsPerMinute,
        ...(codePattern === '' ? {} : { codePattern }),
      },
    };
  }

  /** Whether the form was opened for how the server expects requests. */
  const atRequests = ref(false);

  function start(connection?: ConnectionState, about?: 'requests'): void {
    atRequests.value = about === 'requests';
    form.start(connection);
  }

  return { ...form, start, atRequests, typed, address, keepsKey, keyProblem };
});

function blank(connection?: ConnectionState): Typed {
  const dialect = connection?.dialect ?? defaultDialect;
  return {
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
