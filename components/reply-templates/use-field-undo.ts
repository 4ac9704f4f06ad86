import { onScopeDispose, shallowReactive } from 'vue';

import { undoMs } from '#core/storage/index';
import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';

type Restore = () => Promise<void>;

export interface FieldUndo {
  /** Call it before each edit of a field. @param restore stores what is in the field now, and nothing else */
  readonly begin: (field: string, restore: Restore) => void;
  /** Call it once a field is left. @param written the write of its last edit */
  readonly end: (field: string, written: Promise<void>) => Promise<void>;
  /** Returns what undoes the edits of a field that was left, while that is offered. */
  readonly of: (field: string) => Restore | undefined;
  readonly withdraw: (field: string) => void;
  readonly withdrawAll: () => void;
}

/**
 * Offers to undo the edits of each text field on its own, from when it is left until it is edited again or the time is
 * over.
 */
export function useFieldUndo(): FieldUndo {
  const reply = useReplyTemplateSettings();
  const begun = new Map<string, Restore>();
  const offered = shallowReactive(new Map<string, Restore>());
  const timers = new Set<ReturnType<typeof setTimeout>>();
  onScopeDispose(() => {
    timers.forEach(clearTimeout);
  });

  return {
    begin(field, restore) {
      if (begun.has(field)) return;
      begun.set(field, restore);
      offered.delete(field);
    },

    async end(field, written) {
      const restore = begun.get(field);
      begun.delete(field);
      await written;
      if (restore === undefined || begun.has(field) || reply.unsaved !== undefined) return;
      offered.set(field, restore);
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (offered.get(field) === restore) offered.delete(field);
      }, undoMs);
      timers.add(timer);
    },

    of(field) {
      const restore = offered.get(field);
      return (
        restore &&
        (() => {
          offered.delete(field);
          return restore();
        })
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
