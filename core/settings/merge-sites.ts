import type { ExpectedItem } from '#core/check/expected-item';
import { type MergedList, mergeList } from '#core/settings/merge-list';
import type { Site } from '#core/ticket/site';

/**
 * Merges imported help desks by their origin. What the file does not say of one stays as it is.
 * @param storedIds gives the stored ids of the file's connections, which expected items name
 */
export function mergeSites(
  present: readonly Site[],
  imported: readonly Site[],
  storedIds: ReadonlyMap<string, string>,
): MergedList<Site> {
  const ofStored = ({ expectedItem, ...site }: Site): Site => ({
    ...site,
    ...(expectedItem !== undefined && { expectedItem: itemOfStored(expectedItem, storedIds) }),
  });
  return mergeList(present, imported.map(ofStored), {
    nameOf: ({ origin }) => origin,
    isSame: ({ origin }, one) => origin === one.origin,
    create: (one) => one,
    change(before, one) {
      const after = { ...before, ...one };
      return JSON.stringify(after) === JSON.stringify(before) ? undefined : after;
    },
  });
}

function itemOfStored(item: ExpectedItem, storedIds: ReadonlyMap<string, string>): ExpectedItem {
  const { connectionId } = item;
  if (connectionId === undefined) return item;
  return { ...item, connectionId: storedIds.get(connectionId) ?? connectionId };
}
