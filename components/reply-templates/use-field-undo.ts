import { onScopeDispose, shallowReactive } from 'vue';

import { undoMs } from '#core/storage/index';
import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';

/** A change of a field, typed or undone. */
interface Change {
  readonly from: string;
  readonly to: string;
  readonly isUndone: boolean;
  /** Stores the given text as the content of the field, and nothing else. */
  readonly store: (words: string) => Promise<void>;
}

export interface FieldOffer {
  /** True if it restores what was undone. */
  readonly isRedo: boolean;
  readonly accept: () => Promise<void>;
}

export interface FieldUndo {
  /** Call it with each edit of a field. */
  readonly begin: (field: string, edit: Omit<Change, 'isUndone'>) => void;
  /** Call it once a field is left. @param written the write of its last edit */
  readonly end: (field: string, written: Promise<void>) => Promise<void>;
  /** Returns the offer to undo or redo the edits of a field that was left, as long as there is one. */
  readonly of: (field: string) => FieldOffer | undefined;
  readonly withdraw: (field: string) => void;
  readonly withdrawAll: () => void;
}

/**
 * Offers to undo the edits of each text field separately, from when the field is left until it is edited again or the
 * time is over; after an undo, it offers to redo for as long.
 */
export function useFieldUndo(): FieldUndo {
  const reply = useReplyTemplateSettings();
  const begun = new Map<string, Change>();
  const offered = shallowReactive(new Map<string, Change>());
  const timers = new Set<ReturnType<typeof setTimeout>>();
  onScopeDispose(() => {
    timers.forEach(clearTimeout);
  });

  async function offer(field: string, change: Change, written: Promise<void>): Promise<void> {
    await written;
    if (begun.has(field) || reply.unsaved !== undefined) return;
    offered.set(field, change);
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (offered.get(field) === change) offered.delete(field);
    }, undoMs);
    timers.add(timer);
  }

  return {
    begin(field, edit) {
      // The browser's own undo, with nothing left to undo, reports the present text as an edit.
      if (edit.to === edit.from && !begun.has(field)) return;
      const from = begun.get(field)?.from ?? edit.from;
      begun.set(field, { ...edit, from, isUndone: false });
      offered.delete(field);
    },

    async end(field, written) {
      const change = begun.get(field);
      begun.delete(field);
      await (change === undefined ? written : offer(field, change, written));
    },

    of(field) {
      const change = offered.get(field);
      return (
        change && {
          isRedo: change.isUndone,
          accept() {
            const { from, to, isUndone, store } = change;
            offered.delete(field);
            return offer(field, { from: to, to: from, isUndone: !isUndone, store }, store(from));
          },
        }
      );
    },

    withdraw(field) {
      offered.delete(field);
    },

    withdrawAll() {
      offered.clear();
    },
  };
}
