import type { ExpectedItem } from '#core/check/check-report';
import { omitUndefined } from '#core/omit-undefined';
import { type MergedList, mergeList } from '#core/settings/merge-list';
import type { Site } from '#core/ticket/site';

/**
 * Merges imported help desks by their origin. What the file does not say of one stays as it is. An expected item of a connection
 * that is neither in the file nor stored is left out: every purchase would be of another item.
 * @param storedIds gives the stored ids of connections by those that expected items name
 */
export function mergeSites(
  present: readonly Site[],
  imported: readonly Site[],
  storedIds: ReadonlyMap<string, string>,
): MergedList<Site> {
  const ofStored = ({ expectedItem, ...site }: Site): Site =>
    omitUndefined({ ...site, expectedItem: expectedItem && itemOfStored(expectedItem, storedIds) });
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

function itemOfStored(
  item: ExpectedItem,
  storedIds: ReadonlyMap<string, string>,
): ExpectedItem | undefined {
  if (item.connectionId === undefined) return item;
  const connectionId = storedIds.get(item.connectionId);
  return connectionId === undefined ? undefined : { ...item, connectionId };
}
