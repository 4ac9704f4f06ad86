import { computed, type ComputedRef } from 'vue';

import { purchaseIn } from '#core/check/index';
import type { ExpectedItem } from '#core/items/index';
import type { BulkJob } from '#core/jobs/index';
import { useBulk } from '#stores/bulk/bulk';
import { useItemChoices } from '#stores/items/item-choices';

/**
 * Returns the item that the codes of the open job should be for, with its latest known name; the name is empty if none
 * is known.
 */
export function useExpectedItem(job: () => BulkJob): ComputedRef<ExpectedItem | undefined> {
  const bulk = useBulk();
  const items = useItemChoices();
  if (job().expectedItemId !== undefined) void items.load();

  return computed(() => {
    const { expectedItemId: itemId, connectionIds } = job();
    if (itemId === undefined) return undefined;
    const fetched = items.choices.find(
      (item) => item.itemId === itemId && connectionIds.includes(item.connectionId),
    );
    const bought = bulk.codes
      .map(({ outcome }) => purchaseIn(outcome)?.item)
      .find((item) => item?.id === itemId);
    return { itemId, name: fetched?.name ?? bought?.name ?? '' };
  });
}
