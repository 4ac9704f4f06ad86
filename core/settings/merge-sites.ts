import { type MergedList, mergeList } from '#core/settings/merge-list';
import type { Site } from '#core/ticket/site';

/** Merges imported help desks by their origin. What the file does not say of one stays as it is. */
export function mergeSites(present: readonly Site[], imported: readonly Site[]): MergedList<Site> {
  return mergeList(present, imported, {
    nameOf: ({ origin }) => origin,
    isSame: ({ origin }, one) => origin === one.origin,
    create: (one) => one,
    change(before, one) {
      const after = { ...before, ...one };
      return JSON.stringify(after) === JSON.stringify(before) ? undefined : after;
    },
  });
}
