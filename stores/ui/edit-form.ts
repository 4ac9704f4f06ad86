import { defineStore } from 'pinia';
import { computed, type ComputedRef, ref, type Ref, shallowRef, watch } from 'vue';

import type { Result } from '#core/result';
import { latest, type LatestRequest } from '#stores/latest';
import { accessPort, usePort } from '#stores/ports';

interface FormParts<Entry, Typed extends object, Draft, Problem extends string, Fault> {
  readonly list: {
    readonly find: (id: string) => Entry | undefined;
    readonly put: (entry: Entry) => void;
    readonly load: () => Promise<unknown>;
  };
  /** The fields' values, a reactive object. */
  readonly typed: Typed;
  /** Returns the fields for a new or an existing entry. Secrets are always blank. */
  readonly blank: (entry?: Entry) => Typed;
  readonly findProblems: () => ReadonlySet<Problem>;
  /** Called only if there are no problems. */
  readonly draft: () => Draft | undefined;
  readonly addressOf: (draft: Draft) => string;
  readonly send: (draft: Draft) => Promise<Result<Entry, Fault>>;
  /**
   * Called when a save begins, while the fields still hold their values.
   * @returns a function that stores what belongs to the saved entry elsewhere; a fault keeps the form open
   */
  readonly prepareFinish?: () => (saved: Entry) => Promise<Fault | undefined>;
}

type TryOut<Entry> = (saved: Entry, close: () => void) => Promise<boolean>;

export interface EditForm<Entry, Problem extends string, Fault> {
  /** The entry being edited; undefined while the form is closed. */
  readonly open: Ref<'new' | { readonly id: string } | undefined>;
  readonly saving: Ref<boolean>;
  /** Whether a save was tried; from then on empty fields are reported. */
  readonly tried: Ref<boolean>;
  readonly fault: Ref<Fault | undefined>;
  /** The id of the entry that was saved when the form last closed; undefined if it was cancelled. */
  readonly savedId: Ref<string | undefined>;
  /** The id of a new entry that was saved, while its form is still open in its place. */
  readonly heldId: Ref<string | undefined>;
  readonly editing: ComputedRef<Entry | undefined>;
  /** The fields that prevent saving the form. */
  readonly problems: ComputedRef<ReadonlySet<Problem>>;
  readonly start: (entry?: Entry) => void;
  readonly close: () => void;
  /**
   * Must be called in the task of a click. The draft is sent before the browser asks for the permission, because its
   * prompt may close this page. Both happen before any `await`.
   * @param tryOut tries the saved entry, while the form stays as it is: it returns whether the form must stay, to be
   * corrected, and may close it before it returns
   * @returns the saved entry, or undefined if it was not saved or must be corrected
   */
  readonly save: (tryOut?: TryOut<Entry>) => Promise<Entry | undefined>;
}

/**
 * Adds or edits one entry of a list. Only one form of the page is open at a time: opening another closes it. Call it in
 * a store's setup.
 */
export function useEditForm<
  Entry extends { readonly id: string },
  Typed extends object,
  Draft,
  Problem extends string,
  Fault,
>(parts: FormParts<Entry, Typed, Draft, Problem, Fault>): EditForm<Entry, Problem, Fault> {
  const { list, typed, blank } = parts;
  const requestAccess = usePort(accessPort);
  const openForm = useOpenForm();

  const open = ref<'new' | { readonly id: string }>();
  const saving = ref(false);
  const tried = ref(false);
  const fault = shallowRef<Fault>();
  const savedId = ref<string>();
  const heldId = ref<string>();
  const editing = computed(() => {
    if (typeof open.value === 'object') return list.find(open.value.id);
    return heldId.value === undefined || saving.value ? undefined : list.find(heldId.value);
  });
  const problems = computed(parts.findProblems);

  const openings = latest();
  let opening: LatestRequest | undefined;

  /** The fields' values in the entry. */
  let shown: Typed;

  function reset(entry?: Entry): void {
    Object.assign(typed, (shown = blank(entry)));
    saving.value = tried.value = false;
    fault.value = savedId.value = heldId.value = undefined;
  }

  // Fields that were not touched here follow what another window has saved.
  watch(editing, (entry) => {
    if (entry === undefined) return;
    const before = shown;
    shown = blank(entry);
    for (const name of Object.keys(shown) as (keyof Typed)[])
      if (typed[name] === before[name]) typed[name] = shown[name];
  });

  function start(entry?: Entry): void {
    openForm.replace(close);
    reset(entry);
    open.value = entry === undefined ? 'new' : { id: entry.id };
    opening = openings.begin();
  }

  function close(): void {
    if (open.value === undefined) return;
    openings.cancel();
    reset();
    open.value = undefined;
  }

  async function save(tryOut?: TryOut<Entry>): Promise<Entry | undefined> {
    tried.value = true;
    fault.value = undefined;
    const draft = problems.value.size > 0 ? undefined : parts.draft();
    if (draft === undefined || saving.value) return undefined;
    saving.value = true;
    const isStillOpen = opening?.isLatest ?? (() => false);
    const finish = parts.prepareFinish?.();
    const sent = parts.send(draft);
    const granted = requestAccess(parts.addressOf(draft));
    const result = await sent.finally(() => {
      if (isStillOpen()) saving.value = false;
    });
    if (!result.ok) {
      if (isStillOpen()) fault.value = result.fault;
      return undefined;
    }
    const { id } = result.value;
    // Its card is not shown before the form closes.
    if (isStillOpen() && (tryOut ?? finish) !== undefined) {
      saving.value = true;
      if (open.value === 'new') heldId.value = id;
    }
    list.put(result.value);
    const unfinished = await finish?.(result.value);
    if (isStillOpen() && unfinished !== undefined) {
      saving.value = false;
      heldId.value = undefined;
      open.value = { id };
      fault.value = unfinished;
      return undefined;
    }
    const closeSaved = (): void => {
      if (!isStillOpen()) return;
      close();
      savedId.value = id;
    };
    if (tryOut === undefined) closeSaved();
    let mustStay = false;
    try {
      await granted;
      await list.load();
      const saved = list.find(id);
      mustStay = saved !== undefined && (await tryOut?.(saved, closeSaved)) === true;
    } finally {
      if (!mustStay) closeSaved();
    }
    if (!mustStay || !isStillOpen()) return list.find(id);
    Object.assign(typed, (shown = blank(list.find(id))));
    saving.value = tried.value = false;
    return undefined;
  }

  return { open, saving, tried, fault, savedId, heldId, editing, problems, start, close, save };
}

/** Closes the open form when another one opens. */
const useOpenForm = defineStore('edit-form', () => {
  let closeCurrent: (() => void) | undefined;
  function replace(close: () => void): void {
    if (closeCurrent !== close) closeCurrent?.();
    closeCurrent = close;
  }
  return { replace };
});
