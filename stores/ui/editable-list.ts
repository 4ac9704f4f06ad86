import { type Ref, shallowRef } from 'vue';

import type { Result } from '#core/result';
import { latest } from '#stores/latest';
import { accessPort, usePort } from '#stores/ports';
import { type UndoableList, type UndoFault, useUndoOffer } from '#stores/ui/undo-offer';

/** The source of one list's entries, and how the worker changes them. */
interface ListSource<Entry> {
  readonly name: UndoableList;
  readonly idOf: (entry: Entry) => string;
  readonly nameOf: (entry: Entry) => string;
  /** Names the text that says of an entry that it was deleted; by default the list's own. */
  readonly toldAs?: (entry: Entry) => UndoableList;
  /** Returns the address whose origin the browser must allow. */
  readonly addressOf: (entry: Entry) => string;
  readonly load: () => Promise<Entry[]>;
  /** @returns when the deletion becomes final, epoch milliseconds; undefined if the entry could not be deleted */
  readonly remove: (entry: Entry) => Promise<{ readonly undoUntil: number } | undefined>;
  /** Called in the task of a click. */
  readonly restore: (entry: Entry) => Promise<Result<unknown, UndoFault>>;
}

export interface EditableList<Entry> {
  /** Undefined until the worker has answered once. */
  readonly list: Ref<Entry[] | undefined>;
  readonly load: () => Promise<Entry[]>;
  /** Shows the list from the worker's answer, unless a newer one is already shown. */
  readonly take: (answer: Promise<Entry[]>) => Promise<Entry[]>;
  readonly find: (id: string | undefined) => Entry | undefined;
  /** Adds an entry, or replaces the one with the same id. */
  readonly put: (entry: Entry) => void;
  /** Moves an entry by a number of positions; beyond either end nothing happens. */
  readonly move: (
    id: string,
    steps: number,
    reorder: (ids: string[]) => Promise<Entry[]>,
  ) => Promise<void>;
  /** Deletes an entry and offers to undo it, unless it could not be deleted. */
  readonly remove: (id: string) => Promise<void>;
  /**
   * Asks the browser to allow the entry's origin. Must be called in the task of a click. Returns whether it is now
   * allowed.
   */
  readonly allow: (id: string) => Promise<boolean>;
}

/** A list owned by the worker. A slow answer never reverts changes made after it was requested. */
export function useEditableList<Entry>(source: ListSource<Entry>): EditableList<Entry> {
  const requestAccess = usePort(accessPort);
  const undo = useUndoOffer();
  const list: Ref<Entry[] | undefined> = shallowRef();
  const answers = latest();
  const { idOf } = source;

  async function take(answer: Promise<Entry[]>): Promise<Entry[]> {
    const { isLatest } = answers.begin();
    const entries = await answer;
    if (isLatest()) list.value = entries;
    return list.value ?? entries;
  }

  function load(): Promise<Entry[]> {
    return take(source.load());
  }

  function find(id: string | undefined): Entry | undefined {
    return list.value?.find((entry) => idOf(entry) === id);
  }

  /** Does nothing before the first answer, which will include the change. */
  function change(edit: (present: Entry[]) => Entry[]): void {
    if (list.value === undefined) return;
    answers.cancel();
    list.value = edit(list.value);
  }

  return {
    list,
    load,
    take,
    find,

    put(entry) {
      change((present) => {
        const at = present.findIndex((each) => idOf(each) === idOf(entry));
        return at < 0 ? [...present, entry] : present.with(at, entry);
      });
    },

    async move(id, steps, reorder) {
      const present = list.value ?? [];
      const from = present.findIndex((entry) => idOf(entry) === id);
      const moved = present[from];
      const to = from + steps;
      if (moved === undefined || to < 0 || to >= present.length) return;
      const reordered = present.toSpliced(from, 1).toSpliced(to, 0, moved);
      list.value = reordered;
      await take(reorder(reordered.map(idOf)));
    },

    async remove(id) {
      const entry = find(id);
      if (entry === undefined) return;
      const removed = await source.remove(entry);
      if (removed === undefined) return;
      change((present) => present.filter((each) => idOf(each) !== id));
      const restore = async (): Promise<Result<unknown, UndoFault>> => {
        const restored = await source.restore(entry);
        await load();
        return restored;
      };
      const told = source.toldAs?.(entry) ?? source.name;
      undo.show(
        {
          list: told,
          id,
          name: source.nameOf(entry),
          undo: restore,
          ...(told !== source.name && { elementId: `${source.name}-${id}` }),
        },
        removed.undoUntil,
      );
    },

    async allow(id) {
      const entry = find(id);
      if (entry === undefined) return false;
      const granted = await requestAccess(source.addressOf(entry));
      await load();
      return granted;
    },
  };
}
