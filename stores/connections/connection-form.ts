import { defineStore } from 'pinia';
import { computed, reactive, ref } from 'vue';

import { parseCodePattern } from '#core/check/code-shape';
import { parseApiKey } from '#core/connections/api-key';
import { parseBaseAddress } from '#core/connections/base-address';
import { defaultDialect, type Dialect } from '#core/connections/connection';
import type { ConnectionDraft, ConnectionState, SaveFault } from '#messaging/connections/protocol';
import { useConnections } from '#stores/connections/connections';
import { accessPort, askPort, usePort } from '#stores/ports';

/** What is typed into the form. Kept apart from the connection until it is saved. */
interface Typed {
  name: string;
  baseAddress: string;
  apiKey: string;
  keyPlacement: Dialect['keyPlacement'];
  encoding: Dialect['encoding'];
  plainUserAgent: boolean;
  /** As the field holds it; a number field gives '' for what is no number. */
  requestsPerMinute: number | '';
  codePattern: string;
}

/** What keeps the form from being saved, by field. */
export type FormProblem = 'name' | 'baseAddress' | 'apiKey' | 'requestsPerMinute' | 'codePattern';

/** Adding or changing one connection. */
export const useConnectionForm = defineStore('connection-form', () => {
  const ask = usePort(askPort);
  const requestAccess = usePort(accessPort);
  const connections = useConnections();

  /** Undefined: closed. */
  const open = ref<'new' | { readonly id: string }>();
  const typed = reactive<Typed>(blank());
  const saving = ref(false);
  /** Problems are shown once a save was tried; address and key are judged while they are typed. */
  const tried = ref(false);
  const fault = ref<SaveFault>();

  const editing = computed(() =>
    typeof open.value === 'object' ? connections.find(open.value.id) : undefined,
  );
  const address = computed(() => parseBaseAddress(typed.baseAddress));
  const keepsKey = computed(() => editing.value?.hasKey === true && !originChanged());
  const key = computed(() => parseApiKey(typed.apiKey));
  const keyProblem = computed(() => {
    if (key.value.ok || (key.value.fault.kind === 'empty' && keepsKey.value)) return undefined;
    return key.value.fault;
  });
  const problems = computed(() => {
    const found = new Set<FormProblem>();
    if (typed.name.trim() === '') found.add('name');
    if (!address.value.ok) found.add('baseAddress');
    if (keyProblem.value !== undefined) found.add('apiKey');
    const rate = typed.requestsPerMinute;
    if (rate === '' || !Number.isInteger(rate) || rate < 1 || rate > 6000) {
      found.add('requestsPerMinute');
    }
    const pattern = typed.codePattern.trim();
    if (pattern !== '' && !parseCodePattern(pattern).ok) found.add('codePattern');
    return found;
  });

  function originChanged(): boolean {
    const before = editing.value?.baseAddress;
    if (before === undefined || !address.value.ok) return false;
    return new URL(before).origin !== new URL(address.value.value.address).origin;
  }

  function start(connection?: ConnectionState): void {
    Object.assign(typed, blank(connection));
    open.value = connection === undefined ? 'new' : { id: connection.id };
    tried.value = false;
    fault.value = undefined;
  }

  function close(): void {
    open.value = undefined;
    typed.apiKey = '';
  }

  /**
   * Must be called in the task of a click: the intent is on its way to the worker before the browser's prompt, which may
   * close this page, and the prompt is asked for before anything is awaited.
   * @returns the saved connection, or undefined when it was not saved
   */
  async function save(): Promise<ConnectionState | undefined> {
    tried.value = true;
    fault.value = undefined;
    const draft = draftOf();
    if (draft === undefined || saving.value) return undefined;
    saving.value = true;
    const saved = ask('connections.save', draft);
    const granted = requestAccess(draft.baseAddress);
    const result = await saved.finally(() => {
      saving.value = false;
    });
    if (!result.ok) {
      fault.value = result.fault;
      return undefined;
    }
    typed.apiKey = '';
    connections.put(result.value);
    close();
    await granted;
    await connections.load();
    return connections.find(result.value.id);
  }

  function draftOf(): ConnectionDraft | undefined {
    if (problems.value.size > 0 || !address.value.ok || typed.requestsPerMinute === '') {
      return undefined;
    }
    const { keyPlacement, encoding, plainUserAgent, requestsPerMinute } = typed;
    const codePattern = typed.codePattern.trim();
    const before = editing.value?.dialect;
    return {
      ...(editing.value === undefined ? {} : { id: editing.value.id }),
      name: typed.name.trim(),
      baseAddress: address.value.value.address,
      ...(key.value.ok ? { apiKey: key.value.value } : {}),
      dialect: {
        keyPlacement,
        encoding,
        // What was proven stays so only while it is asked in the same way.
        proven:
          before?.proven === true &&
          before.keyPlacement === keyPlacement &&
          before.encoding === encoding &&
          !originChanged(),
        plainUserAgent,
        requestsPerMinute,
        ...(codePattern === '' ? {} : { codePattern }),
      },
    };
  }

  return {
    open,
    typed,
    saving,
    tried,
    fault,
    editing,
    address,
    keepsKey,
    keyProblem,
    problems,
    start,
    close,
    save,
  };
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
